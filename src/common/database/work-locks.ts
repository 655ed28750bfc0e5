import { clearInterval, setInterval } from 'node:timers';
import type { Transactions } from './transactions.js';

/** The right to work on one row. Each write under it names the token, so a worker that lost it cannot overwrite its successor's work. */
export interface WorkLock {
  readonly id: string;
  readonly leaseToken: string;
}

/** A table with the columns `lease_token uuid` and `lease_until timestamptz`. */
export interface LockedTable {
  readonly table: string;
  /** The column that names a row in a `WorkLock`. */
  readonly key?: string;
  /** When a row is due; null while there is nothing to do for it. Set by the injected clock. */
  readonly due: string;
  /** Duration of a work lock unless it is renewed. */
  readonly seconds: number;
}

/** Columns that a write under a work lock also sets, to return the lock in the same statement. */
export const RETURNED_LOCK = { leaseToken: null, leaseUntil: null } as const;

/** SQL: no worker has the row. Work locks run by the database's clock, the only one that all processes share. */
export const IS_UNLOCKED = '(lease_until is null or lease_until <= now())';

/**
 * Lets any number of processes work on the rows of one table, each row by one worker at a time. A worker that crashes keeps its lock until
 * that runs out; nothing else has to be cleaned up.
 */
export class WorkLocks {
  /** Number of work locks that this process took after another worker let them expire: it crashed, or could not renew them. */
  takenOver = 0;
  private readonly key: string;

  constructor(
    private readonly tx: Transactions,
    private readonly options: LockedTable,
  ) {
    this.key = options.key ?? 'id';
  }

  /**
   * Takes the row that has been due for longest; null when there is none.
   * @param now by the injected clock; `$1` in the SQL below
   * @param where further conditions, in SQL; the row goes by the table's name
   * @param set further columns that the statement sets, in SQL
   */
  async takeDue(now: Date, { where, set }: { where?: string; set?: string } = {}): Promise<WorkLock | null> {
    return (await this.takeAllDue(now, '1', { where, set }))[0] ?? null;
  }

  /** Takes the rows that have been due for longest, as above. @param most how many, in SQL */
  takeAllDue(
    now: Date,
    most: string,
    { where = 'true', set }: { where?: string | undefined; set?: string | undefined } = {},
  ): Promise<readonly WorkLock[]> {
    const { due } = this.options;
    return this.take(`${due} <= $1 and ${where} order by ${due}, ${this.key} limit ${most}`, now, set);
  }

  /** Takes one row, due or not; null when another worker holds it or it has no due time. */
  async takeOne(id: string): Promise<WorkLock | null> {
    return (await this.take(`${this.options.due} is not null and ${this.key} = $1`, id))[0] ?? null;
  }

  /** Extends a work lock. @returns false when it was lost: the worker must stop */
  async renew(lock: WorkLock): Promise<boolean> {
    const { table, seconds } = this.options;
    const rows = await this.tx.query(
      `update ${table} set lease_until = now() + interval '${seconds} seconds' where ${this.isValidSql} returning 1`,
      [lock.id, lock.leaseToken],
    );
    return rows.length === 1;
  }

  /** Runs work, and renews its work lock every `everyMs` milliseconds until it ends. A failed renewal does not fail the work. */
  async whileRenewed<T>(lock: WorkLock, everyMs: number, work: () => Promise<T>): Promise<T> {
    const renewing = setInterval(() => void this.renew(lock).catch(() => undefined), everyMs);
    try {
      return await work();
    } finally {
      clearInterval(renewing);
    }
  }

  /** Returns a work lock after the work; does nothing when it was lost. */
  giveBack(lock: WorkLock): Promise<void> {
    return this.giveBackAll([lock]);
  }

  /** Returns work locks, as above. */
  async giveBackAll(locks: readonly WorkLock[]): Promise<void> {
    if (locks.length === 0) return;
    await this.tx.query(
      `update ${this.options.table} set lease_token = null, lease_until = null
        where (${this.key}, lease_token) in (select * from unnest($1::uuid[], $2::uuid[]))`,
      [locks.map(({ id }) => id), locks.map(({ leaseToken }) => leaseToken)],
    );
  }

  /** Whether the work lock is still valid at this moment; locks nothing. */
  async isValid(lock: WorkLock): Promise<boolean> {
    return this.exists('', lock);
  }

  /** Locks the row until the transaction ends. @returns false when the work lock was lost */
  async lockRow(lock: WorkLock): Promise<boolean> {
    return this.exists(' for update', lock);
  }

  /** Returns the time until which a worker has the row; null when none has it. */
  async lockedUntil(id: string): Promise<Date | null> {
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
      `select min(${due}) as due from ${table} where ${due} is not null and ${IS_UNLOCKED}`,
    );
    return row?.due ?? null;
  }

  /** Voids every work lock: at start, and only where no other process can be alive, as on the embedded database. */
  async voidAll(): Promise<void> {
    await this.tx.query(
      `update ${this.options.table} set lease_token = null, lease_until = null where lease_until is not null`,
    );
  }

  /**
   * Chooses the rows in an array, which PostgreSQL evaluates once: it may evaluate a joined subquery once per row, and so take several. The
   * subquery in RETURNING reads a row as it was before the update.
   */
  private async take(choice: string, parameter: unknown, set?: string): Promise<readonly WorkLock[]> {
    const { table, seconds } = this.options;
    const rows = await this.tx.query<WorkLock & { readonly isTakenOver: boolean }>(
      `update ${table}
          set lease_token = gen_random_uuid(), lease_until = now() + interval '${seconds} seconds'${set === undefined ? '' : `, ${set}`}
        where ${this.key} = any(array(
                select ${this.key} from ${table} where ${IS_UNLOCKED} and ${choice} for update skip locked))
        returning ${this.key} as id, lease_token as "leaseToken",
                  (select before.lease_token is not null from ${table} before where before.${this.key} = ${table}.${this.key}) as "isTakenOver"`,
      [parameter],
    );
    this.takenOver += rows.filter(({ isTakenOver }) => isTakenOver).length;
    return rows.map(({ id, leaseToken }) => ({ id, leaseToken }));
  }

  private async exists(lock: string, { id, leaseToken }: WorkLock): Promise<boolean> {
    const rows = await this.tx.query(`select 1 from ${this.options.table} where ${this.isValidSql}${lock}`, [
      id,
      leaseToken,
    ]);
    return rows.length === 1;
  }

  private get isValidSql(): string {
    return `${this.key} = $1 and lease_token = $2`;
  }
}
