import { Injectable } from '@nestjs/common';
import type { ClientBase, Pool } from 'pg';
import { DataSource, type EntityTarget, type ObjectLiteral } from 'typeorm';
import type { BatcherOptions } from './batcher.js';
import { usesTransactionPooling } from './data-source.js';
import { Transactions } from './transactions.js';

/** A statement of a frequent route. The server keeps its plan under the name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/**
 * Runs statements of frequent routes, in the current transaction or each in its own, directly on TypeORM's connections. A database server
 * prepares them by name. The embedded database does not, since all its connections share one session and names would collide; nor does a
 * pooler in transaction mode.
 */
@Injectable()
export class Statements {
  private readonly prepares = new WeakMap<Pool, boolean>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly tx: Transactions,
  ) {}

  /** Runs a statement and returns its rows as arrays. Throws the driver's error. */
  async rows<Row extends readonly unknown[]>(
    statement: Statement,
    values: readonly unknown[],
  ): Promise<readonly Row[]> {
    return (await this.run(statement, values, { rowMode: 'array' })) as readonly Row[];
  }

  /** Runs a statement and returns its rows by the names of their columns. Throws the driver's error. */
  async list<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<readonly Row[]> {
    return (await this.run(statement, values)) as readonly Row[];
  }

  /** Runs a statement that finds at most one row, and returns it by the names of its columns; null without one. Throws the driver's error. */
  async find<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row | null> {
    const [row = null] = await this.list<Row>(statement, values);
    return row;
  }

  /** Returns the columns of an entity, each under its property's name, as a statement selects them. */
  columnsOf(entity: EntityTarget<ObjectLiteral>): string {
    const { columns } = this.dataSource.getMetadata(entity);
    return columns.map(({ databaseName, propertyName }) => `${databaseName} as "${propertyName}"`).join(', ');
  }

  private async run(
    { name, text }: Statement,
    values: readonly unknown[],
    how: { readonly rowMode?: 'array' } = {},
  ): Promise<readonly unknown[]> {
    const connection = await this.tx.connection();
    const query = { text, values: [...values], ...how };
    return (await connection.query<object>((await this.mayPrepare(connection)) ? { ...query, name } : query)).rows;
  }

  /** Queries the given connection: within a transaction the pool may be exhausted, and waiting for another connection would be a deadlock. */
  private async mayPrepare(connection: ClientBase | Pool): Promise<boolean> {
    const { pool } = this.tx;
    const known = this.prepares.get(pool);
    if (known !== undefined) return known;
    const answer =
      !usesTransactionPooling(pool.options.connectionString ?? '') && (await isPreparedByServer(connection));
    this.prepares.set(pool, answer);
    return answer;
  }
}

/** Asks the database itself, since its URL does not show whether it is PGlite. */
async function isPreparedByServer(connection: ClientBase | Pool): Promise<boolean> {
  const { rows } = await connection.query<{ version: string }>('select version()');
  return !/PGlite|emscripten/i.test(rows[0]?.version ?? '');
}

/**
 * Whether one row may have made a statement fail, by its data, a constraint, or its size. Other failures, such as a lost connection, concern
 * all rows.
 */
const isFaultOfRow = (failure: unknown): boolean =>
  /^(22|23|40|54)/.test(String((failure as { readonly code?: unknown } | null)?.code));

/**
 * How items share a statement. Two statements in flight and small batches measured best (bench/README.md); 32 pays off from 128 clients on.
 */
export const SHARING_STATEMENTS = {
  maxBatchSize: 32,
  startAt: 8,
  maxInFlight: 2,
  maxWaiting: 5000,
  isFaultOfItem: isFaultOfRow,
} as const satisfies BatcherOptions;

/** Writes a list as the text of a PostgreSQL array, which is faster than the driver's way; bytes as bytea. */
export const arrayText = (values: readonly (string | number | Buffer | null)[]): string =>
  `{${values.map(elementText).join(',')}}`;

function elementText(value: string | number | Buffer | null): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return String.raw`"\\x${value.toString('hex')}"`;
  return `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
