import { stripVTControlCharacters } from 'node:util';

const widthOf = (text: string): number => [...stripVTControlCharacters(text)].length;

/** Pads text to a width, whatever its colors. */
export const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(width - widthOf(text), 0));

/** Sets rows in columns of equal width, two spaces apart, indented by two. */
export function table(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, at) => Math.max(0, ...rows.map((row) => widthOf(row[at] ?? ''))));
  return rows.map((row) => `  ${row.map((cell, at) => pad(cell, widths[at] ?? 0)).join('  ')}`.trimEnd()).join('\n');
}
