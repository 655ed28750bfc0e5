import type { Transactions } from './transactions.js';

/** The right to work on one row. Each write under it names the token, so a worker that lost its lease overwrites nothing of its successor. */
export interface Lease {
  readonly id: string;
  readonly leaseToken: string;
}

/** A table with the columns `lease_token uuid` and `lease_until timestamptz`. */
export interface LeasedTable {
  readonly table: string;
  /** The column that names a row in a `Lease`. */
  readonly key?: string;
  /** When a row is due; null while there is nothing to do for it. Set by the injected clock. */
  readonly due: string;
  /** How long a lease lasts unless it is renewed. */
  readonly seconds: number;
}

/** What a write under a lease sets besides, to return the lease with it. */
export const RETURNED_LEASE = { leaseToken: null, leaseUntil: null } as const;

/** SQL: no worker holds the row. Leases run by the database's clock, the only one that all processes share. */
export const IS_UNLEASED = '(lease_until is null or lease_until <= now())';

/**
 * Lets any number of processes work on the rows of one table, each row by one worker at a time. A worker that crashes keeps its lease until
 * that runs out; nothing else has to be cleaned up.
 */
export class Leases {
  private readonly key: string;

  constructor(
    private readonly tx: Transactions,
    private readonly options: LeasedTable,
  ) {
    this.key = options.key ?? 'id';
  }

  /**
   * Claims the row that has been due for longest; null when there is none.
   * @param now by the injected clock; `$1` in the SQL below
   * @param where further conditions, in SQL; the row goes by the table's name
   * @param set what the claim changes besides, in SQL
   */
  claimDue(now: Date, { where = 'true', set }: { where?: string; set?: string } = {}): Promise<Lease | null> {
    const { due } = this.options;
    return this.claim(`${due} <= $1 and ${where} order by ${due}, ${this.key} limit 1`, now, set);
  }

  /** Claims one row before or after it is due; null when another worker holds it or nothing is to do for it. */
  claimOne(id: string): Promise<Lease | null> {
    return this.claim(`${this.options.due} is not null and ${this.key} = $1`, id);
  }

  /** Extends a lease. False when it was lost: the worker must stop. */
  async renew(lease: Lease): Promise<boolean> {
    const { table, seconds } = this.options;
    const rows = await this.tx.query(
      `update ${table} set lease_until = now() + interval '${seconds} seconds' where ${this.isHeldSql} returning 1`,
      [lease.id, lease.leaseToken],
    );
    return rows.length === 1;
  }

  /** Returns a lease after the work; does nothing when it was lost. */
  async giveBack(lease: Lease): Promise<void> {
    await this.tx.query(
      `update ${this.options.table} set lease_token = null, lease_until = null where ${this.isHeldSql}`,
      [lease.id, lease.leaseToken],
    );
  }

  /** Whether the lease is still held at this moment; locks nothing. */
  async isHeld(lease: Lease): Promise<boolean> {
    return this.exists('', lease);
  }

  /** Locks the row for the transaction under way. False when the lease was lost. */
  async lock(lease: Lease): Promise<boolean> {
    return this.exists(' for update', lease);
  }

  /** Until when another worker holds the row; null when none does. */
  async heldUntil(id: string): Promise<Date | null> {
    const { table } = this.options;
    const [row] = await this.tx.query<{ readonly until: Date }>(
      `select lease_until as until from ${table} where ${this.key} = $1 and lease_until > now()`,
      [id],
    );
    return row?.until ?? null;
  }

  /** When the next row is due that no worker holds; null when none is. */
  async nextDue(): Promise<Date | null> {
    const { table, due } = this.options;
    const [row] = await this.tx.query<{ readonly due: Date | null }>(
      `select min(${due}) as due from ${table} where ${due} is not null and ${IS_UNLEASED}`,
    );
    return row?.due ?? null;
  }

  /** Voids every lease: at start, and only where no other process can be alive, as on the embedded database. */
  async voidAll(): Promise<void> {
    await this.tx.query(
      `update ${this.options.table} set lease_token = null, lease_until = null where lease_until is not null`,
    );
  }

  /** The choice is an array, which is made once: as a joined subquery it may be made again for each row, and claim several. */
  private async claim(choice: string, parameter: unknown, set?: string): Promise<Lease | null> {
    const { table, seconds } = this.options;
    const [lease] = await this.tx.query<Lease>(
      `update ${table}
          set lease_token = gen_random_uuid(), lease_until = now() + interval '${seconds} seconds'${set === undefined ? '' : `, ${set}`}
        where ${this.key} = any(array(
                select ${this.key} from ${table} where ${IS_UNLEASED} and ${choice} for update skip locked))
        returning ${this.key} as id, lease_token as "leaseToken"`,
      [parameter],
    );
    return lease ?? null;
  }

  private async exists(lock: string, { id, leaseToken }: Lease): Promise<boolean> {
    const rows = await this.tx.query(`select 1 from ${this.options.table} where ${this.isHeldSql}${lock}`, [
      id,
      leaseToken,
    ]);
    return rows.length === 1;
  }

  private get isHeldSql(): string {
    return `${this.key} = $1 and lease_token = $2`;
  }
}
