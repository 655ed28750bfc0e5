import { table } from './table.js';
import type { Style } from './style.js';

/** A table whose first column is text and whose others are numbers, aligned to the right. */
export function numbersTable(heads: readonly string[], rows: readonly (readonly string[])[], style: Style): string {
  const widths = heads.map((head, at) => Math.max(head.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const aligned = (row: readonly string[]): string[] =>
    row.map((cell, at) => (at === 0 ? cell : cell.padStart(widths[at] ?? 0)));
  const numbers = heads.flatMap((_, at) => (at === 0 ? [] : [at]));
  return table(rows.map(aligned), style, { heads: aligned(heads), whole: numbers, dispensable: numbers.toReversed() });
}
