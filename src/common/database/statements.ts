import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { BatcherOptions } from './batcher.js';

/** SQL of a hot route. The name is under which a server keeps its plan. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/**
 * Statements of hot routes, each a transaction of its own, on the pool that TypeORM holds and past everything that TypeORM does.
 * They are prepared by name on a database server; never on the embedded one, where all connections share one session and names collide.
 */
@Injectable()
export class Statements {
  private embedded: Promise<boolean> | undefined;

  constructor(private readonly dataSource: DataSource) {}

  /** Runs a statement and returns its rows, each as an array. Fails with the driver's own error. */
  async rows<Row extends readonly unknown[]>(
    { name, text }: Statement,
    values: readonly unknown[],
  ): Promise<readonly Row[]> {
    const isEmbedded = await (this.embedded ??= this.isEmbedded());
    const query = { text, values: [...values], rowMode: 'array' as const };
    return (await this.pool.query(isEmbedded ? query : { ...query, name })).rows as unknown as readonly Row[];
  }

  private get pool(): Pool {
    return (this.dataSource.driver as unknown as { readonly master: Pool }).master;
  }

  /** By what the database says of itself: a URL does not tell what answers at it. */
  private async isEmbedded(): Promise<boolean> {
    try {
      const { rows } = await this.pool.query<{ version: string }>('select version()');
      return /PGlite|emscripten/i.test(rows[0]?.version ?? '');
    } catch (error) {
      this.embedded = undefined;
      throw error;
    }
  }
}

/**
 * Whether a failed statement may be the fault of one of its rows: of its data, a constraint, or its size. Otherwise it was nobody's, as
 * of a lost connection, or everybody's.
 */
const isOfARow = (failure: unknown): boolean =>
  /^(22|23|40|54)/.test(String((failure as { readonly code?: unknown } | null)?.code));

/**
 * How items share a statement. Two statements in flight and small batches did best (bench.md); 32 serves from 128 clients on.
 */
export const SHARING_STATEMENTS = {
  mostInBatch: 32,
  startAt: 8,
  mostInFlight: 2,
  mostWaiting: 5000,
  isItems: isOfARow,
} as const satisfies BatcherOptions;

/** A list as the text of a PostgreSQL array, which is cheaper than having the driver make it; bytes as those of a bytea. */
export const arrayText = (values: readonly (string | number | Buffer | null)[]): string =>
  `{${values.map(elementText).join(',')}}`;

function elementText(value: string | number | Buffer | null): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return String.raw`"\\x${value.toString('hex')}"`;
  return `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
