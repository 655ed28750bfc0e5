import { widthOf } from './printable.js';

/** Pads text to a width, whatever its colors. */
export const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(width - widthOf(text), 0));

/** Sets rows in columns of equal width, two spaces apart, indented by two. */
export function table(cells: readonly (readonly string[])[]): string {
  // A line end in what a store says must not begin a row.
  const rows = cells.map((row) => row.map((cell) => cell.replaceAll(/\s*\n\s*/g, ' ')));
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, at) => Math.max(0, ...rows.map((row) => widthOf(row[at] ?? ''))));
  return rows.map((row) => `  ${row.map((cell, at) => pad(cell, widths[at] ?? 0)).join('  ')}`.trimEnd()).join('\n');
}
