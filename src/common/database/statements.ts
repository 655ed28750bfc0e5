import type { BatcherOptions } from './batcher.js';

/**
 * A statement of a frequent route, whose plan the server keeps under the name. A list of any length is written `(select $1::uuid[])`: the server plans
 * anew for each list whose length it sees, since fewer rows look cheaper than it assumes, and planning can take ten times as long as the rest.
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/**
 * Whether one row may have made a statement fail, by its data, a constraint, or its size. Other failures, such as a lost connection, concern
 * all rows.
 */
const isFaultOfRow = (failure: unknown): boolean =>
  /^(22|23|40|54)/.test(String((failure as { readonly code?: unknown } | null)?.code));

/**
 * Sharing of statements between items. Two statements in flight and small batches measured best (bench/README.md); 32 pays off from 128 clients on.
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
