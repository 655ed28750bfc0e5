import { clearInterval, setInterval } from 'node:timers';
import type { Transactions } from './transactions.js';

/** The right to work on one row. Each write under it names the token, so a worker that lost its lease cannot overwrite its successor's work. */
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

/** Columns that a write under a lease also sets, to return the lease in the same statement. */
export const RETURNED_LEASE = { leaseToken: null, leaseUntil: null } as const;

/** SQL: no worker holds the row. Leases run by the database's clock, the only one that all processes share. */
export const IS_UNLEASED = '(lease_until is null or lease_until <= now())';

/**
 * Lets any number of processes work on the rows of one table, each row by one worker at a time. A worker that crashes keeps its lease until
 * that runs out; nothing else has to be cleaned up.
 */
export class Leases {
  /** How many leases this process has taken after another worker let them run out: it crashed, or could not renew them. */
  takenOver = 0;
  private readonly key: string;

  constructor(
    private readonly tx: Transactions,
    private readonly options: LeasedTable,
  ) {
    this.key = options.key ?? 'id';
  }

  /**
   * Takes the row that has been due for longest; null when there is none.
   * @param now by the injected clock; `$1` in the SQL below
   * @param where further conditions, in SQL; the row goes by the table's name
   * @param set further columns that the statement sets, in SQL
   */
  takeDue(now: Date, { where = 'true', set }: { where?: string; set?: string } = {}): Promise<Lease | null> {
    const { due } = this.options;
    return this.take(`${due} <= $1 and ${where} order by ${due}, ${this.key} limit 1`, now, set);
  }

  /** Takes one row, due or not; null when another worker holds it or it has no due time. */
  takeOne(id: string): Promise<Lease | null> {
    return this.take(`${this.options.due} is not null and ${this.key} = $1`, id);
  }

  /** Extends a lease. @returns false when it was lost: the worker must stop */
  async renew(lease: Lease): Promise<boolean> {
    const { table, seconds } = this.options;
    const rows = await this.tx.query(
      `update ${table} set lease_until = now() + interval '${seconds} seconds' where ${this.isHeldSql} returning 1`,
      [lease.id, lease.leaseToken],
    );
    return rows.length === 1;
  }

  /** Runs work, and renews its lease every `everyMs` milliseconds until it ends. A failed renewal does not fail the work. */
  async whileRenewed<T>(lease: Lease, everyMs: number, work: () => Promise<T>): Promise<T> {
    const renewing = setInterval(() => void this.renew(lease).catch(() => undefined), everyMs);
    try {
      return await work();
    } finally {
      clearInterval(renewing);
    }
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

  /** Locks the row until the transaction ends. @returns false when the lease was lost */
  async lock(lease: Lease): Promise<boolean> {
    return this.exists(' for update', lease);
  }

  /** Returns until when a worker holds the row; null when none does. */
  async heldUntil(id: string): Promise<Date | null> {
    const { table } = this.options;
    const [row] = await this.tx.query<{ readonly until: Date }>(
      `select lease_until as until from ${table} where ${this.key} = $1 and lease_until > now()`,
      [id],
    );
    return row?.until ?? null;
  }

  /** Returns the time at which the next row that no worker holds is due; null when there is none. */
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

  /**
   * Chooses the row in an array, which PostgreSQL evaluates once: it may evaluate a joined subquery once per row, and so take several. The
   * subquery in RETURNING reads the row as it was before the update.
   */
  private async take(choice: string, parameter: unknown, set?: string): Promise<Lease | null> {
    const { table, seconds } = this.options;
    const [row] = await this.tx.query<Lease & { readonly isTakenOver: boolean }>(
      `update ${table}
          set lease_token = gen_random_uuid(), lease_until = now() + interval '${seconds} seconds'${set === undefined ? '' : `, ${set}`}
        where ${this.key} = any(array(
                select ${this.key} from ${table} where ${IS_UNLEASED} and ${choice} for update skip locked))
        returning ${this.key} as id, lease_token as "leaseToken",
                  (select before.lease_token is not null from ${table} before where before.${this.key} = ${table}.${this.key}) as "isTakenOver"`,
      [parameter],
    );
    if (row === undefined) return null;
    const { isTakenOver, ...lease } = row;
    if (isTakenOver) this.takenOver += 1;
    return lease;
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
