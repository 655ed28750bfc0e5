/** A row of a table, by column. Lists are joined with commas. */
export type Line = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** The result of a command: a list of rows, or one object that is printed with one member per line. */
export type Printed = readonly Line[] | Line;

/** Formats the result of a command as an aligned table, or as JSON. */
export function printed(result: Printed, isJson: boolean): string {
  if (isJson) return `${JSON.stringify(result, null, 2).replaceAll(UNSHOWN_IN_JSON, escaped)}\n`;
  if (!isRows(result)) return aligned(Object.entries(result).map(([name, value]) => [name, cellOf(value)]));
  const [first] = result;
  if (first === undefined) return 'None.\n';
  const columns = Object.keys(first);
  const rows = result.map((row) => columns.map((column) => cellOf(row[column] ?? null)));
  return aligned([columns.map((column) => column.toUpperCase()), ...rows]);
}

const isRows = (result: Printed): result is readonly Line[] => Array.isArray(result);

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

function cellOf(value: Line[string]): string {
  if (value === null) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = typeof value === 'object' ? value.join(', ') : String(value);
  return text.replaceAll(UNSHOWN, ' ');
}

/** Control and bidi characters, which a terminal would execute or use to reorder text. Names may contain them. */
const UNSHOWN = /[\p{Cc}\p{Bidi_Control}]/gu;
/** The same without the line breaks of formatted JSON. */
const UNSHOWN_IN_JSON = /(?!\n)[\p{Cc}\p{Bidi_Control}]/gu;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
