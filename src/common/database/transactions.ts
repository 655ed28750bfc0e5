import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { ClientBase, Pool } from 'pg';
import {
  DataSource,
  QueryFailedError,
  type EntityManager,
  type EntityTarget,
  type ObjectLiteral,
  type Repository,
} from 'typeorm';
import { usesTransactionPooling } from './data-source.js';
import type { Statement } from './statements.js';

/** Serialization failure and deadlock. PostgreSQL has rolled back, so the transaction can run again. */
const RUN_AGAIN = new Set(['40001', '40P01']);
const ATTEMPTS = 3;

/** One per process, since every AsyncLocalStorage costs time at each asynchronous step. */
const current = new AsyncLocalStorage<{
  readonly manager: EntityManager;
  readonly before: Map<Gathering<never>, unknown[]>;
  readonly after: (() => void)[];
}>();

/** Work on what one transaction has gathered. */
type Gathering<Item> = (items: readonly Item[]) => Promise<void>;

/** The database that reads go to instead, where there is one. */
const readingFrom = new AsyncLocalStorage<DataSource>();

/**
 * Ambient transactions: everything inside `run` uses the same transaction, and a `run` inside a `run` joins it. Never send a request to the
 * outside from within.
 */
@Injectable()
export class Transactions {
  private readonly prepares = new WeakMap<Pool, boolean>();

  constructor(private readonly dataSource: DataSource) {}

  /** Runs work in one transaction; repeats it after a serialization failure or a deadlock. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (current.getStore() !== undefined) return work();
    const [result, after] = await again(async () => {
      const before = new Map<Gathering<never>, unknown[]>();
      const actions: (() => void)[] = [];
      const answer = await this.source.transaction((manager) =>
        current.run({ manager, before, after: actions }, async () => {
          const done = await work();
          for (const [gathering, items] of before) await gathering(items as readonly unknown[] as readonly never[]);
          return done;
        }),
      );
      return [answer, actions] as const;
    });
    for (const action of after) action();
    return result;
  }

  /** Runs work, with its transactions, on another database that has the same rows. */
  readFrom<T>(source: DataSource, work: () => Promise<T>): Promise<T> {
    return readingFrom.run(source, work);
  }

  /** Whether this runs inside a transaction. */
  get isRunning(): boolean {
    return current.getStore() !== undefined;
  }

  /** Hands over what one transaction gathers, all together and before it commits; at once when there is none. @param work the same function for all */
  async gather<Item>(work: Gathering<Item>, items: readonly Item[]): Promise<void> {
    const transaction = current.getStore();
    if (transaction === undefined) await work(items);
    else transaction.before.set(work, [...(transaction.before.get(work) ?? []), ...items]);
  }

  /** Runs an action once the current transaction has committed; at once when there is none. */
  afterCommit(action: () => void): void {
    const transaction = current.getStore();
    if (transaction === undefined) action();
    else transaction.after.push(action);
  }

  /** Returns the repository of an entity, inside the current transaction if there is one. */
  repository<Row extends ObjectLiteral>(entity: EntityTarget<Row>): Repository<Row> {
    return this.manager.getRepository(entity);
  }

  /** Runs SQL, inside the current transaction if there is one. Returns the rows, also those of RETURNING. */
  async query<Row>(sql: string, parameters: readonly unknown[] = []): Promise<readonly Row[]> {
    const { manager } = this;
    const send = (): Promise<unknown> => manager.query(sql, [...parameters]);
    const answer = await (this.isRunning ? send() : again(send));
    // TypeORM returns [rows, count] for UPDATE and DELETE, and only the rows otherwise.
    const isCounted =
      Array.isArray(answer) && answer.length === 2 && Array.isArray(answer[0]) && typeof answer[1] === 'number';
    return (isCounted ? (answer[0] as unknown) : answer) as readonly Row[];
  }

  /**
   * Runs a statement directly on TypeORM's connections, inside the current transaction if there is one. A database server prepares it by its
   * name. The embedded database does not, since all its connections share one session and names would collide; nor does a pooler in
   * transaction mode. Throws the driver's error.
   */
  async prepared<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<readonly Row[]> {
    return (await this.send(statement, values)) as readonly Row[];
  }

  /** Runs a statement as `prepared` does, and returns its rows as arrays, which takes less of the CPU. */
  async preparedArrays<Row extends readonly unknown[]>(
    statement: Statement,
    values: readonly unknown[],
  ): Promise<readonly Row[]> {
    return (await this.send(statement, values, { rowMode: 'array' })) as readonly Row[];
  }

  /** TypeORM's connections to the database that reads go to now. */
  get pool(): Pool {
    const { master } = this.source.driver as unknown as { readonly master: Pool | undefined };
    if (master === undefined) throw new Error('The connections to the database are closed');
    return master;
  }

  private async send(
    { name, text }: Statement,
    values: readonly unknown[],
    how: { readonly rowMode?: 'array' } = {},
  ): Promise<readonly unknown[]> {
    const runner = current.getStore()?.manager.queryRunner;
    const connection = runner === undefined ? this.pool : ((await runner.connect()) as ClientBase);
    const query = { text, values: [...values], ...how };
    const prepared = (await this.mayPrepare(connection)) ? { ...query, name } : query;
    const send = async (): Promise<readonly unknown[]> => (await connection.query<object>(prepared)).rows;
    return runner === undefined ? again(send) : send();
  }

  /** Queries the given connection: within a transaction the pool may be exhausted, and waiting for another connection would be a deadlock. */
  private async mayPrepare(connection: ClientBase | Pool): Promise<boolean> {
    const { pool } = this;
    const known = this.prepares.get(pool);
    if (known !== undefined) return known;
    const answer =
      !usesTransactionPooling(pool.options.connectionString ?? '') && (await isPreparedByServer(connection));
    this.prepares.set(pool, answer);
    return answer;
  }

  private get manager(): EntityManager {
    return current.getStore()?.manager ?? this.source.manager;
  }

  private get source(): DataSource {
    return readingFrom.getStore() ?? this.dataSource;
  }
}

/** Repeats a transaction, or a statement that is one by itself, after a serialization failure or a deadlock. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await work();
    } catch (error) {
      if (attempt >= ATTEMPTS || !RUN_AGAIN.has(sqlState(error) ?? '')) throw error;
      await pause(Math.random() * 20 * attempt);
    }
}

/** Asks the database itself, since its URL does not show whether it is PGlite. */
async function isPreparedByServer(connection: ClientBase | Pool): Promise<boolean> {
  const { rows } = await connection.query<{ version: string }>('select version()');
  return !/PGlite|emscripten/i.test(rows[0]?.version ?? '');
}

/** Returns PostgreSQL's five-character code of a failed query. */
export const sqlState = (error: unknown): string | undefined =>
  (failureOf(error) as { readonly code?: string } | null)?.code;

/** Returns the driver's error, which TypeORM wraps. */
const failureOf = (error: unknown): unknown => (error instanceof QueryFailedError ? error.driverError : error);

/**
 * Runs work and translates the violation of a named constraint into a problem.
 * @param translations what to throw, by constraint name
 */
export async function onConstraint<T>(
  work: () => Promise<T>,
  translations: Readonly<Record<string, () => Error>>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const name = (failureOf(error) as { readonly constraint?: string } | null)?.constraint;
    const translate = name === undefined ? undefined : translations[name];
    throw translate === undefined ? error : translate();
  }
}
