import type { CsvRow } from '../../common/http/index.js';

/** The columns of an import, and those of them that it must have. */
export const IMPORT_COLUMNS = [
  'email',
  'tier',
  'code',
  'order',
  'status',
  'expiresAt',
  'maxActivations',
  'entitlements',
  'metadata',
] as const;
const REQUIRED = ['email', 'tier'];

/** A row as an object of its filled cells. */
export interface ReadLine {
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
}

/** Reads rows by the names in the first one. Pure. @returns the fault of that one, or the other rows */
export function readLines([head, ...rows]: readonly CsvRow[]): string | readonly ReadLine[] {
  const names = head?.cells ?? [];
  const nameless = names.indexOf('');
  const unknown = names.find((name) => !IMPORT_COLUMNS.some((known) => known === name));
  const missing = REQUIRED.find((name) => !names.includes(name));
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (missing !== undefined)
    return `${head === undefined ? 'The file is empty' : `There is no column ${missing}`}. The first line must name the columns, separated by commas, ${REQUIRED.join(' and ')} among them.`;
  if (nameless !== -1) return `Column ${nameless + 1} has no name in the first line.`;
  if (unknown !== undefined)
    return `There is no column ${JSON.stringify(unknown.slice(0, 40))}. Columns are ${IMPORT_COLUMNS.join(', ')}.`;
  if (twice !== undefined) return `The column ${twice} appears twice.`;
  return rows.map(({ line, cells }) => ({
    line,
    cells: Object.fromEntries(
      cells.flatMap((cell, at) => (cell === '' ? [] : [[names[at] ?? `column ${at + 1}`, cell]])),
    ),
  }));
}
