/** A row of a table, by column. Lists are joined with commas. */
export type Line = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** What a command prints: rows, or one object, whose members are the rows. */
export type Printed = readonly Line[] | Line;

/** Writes what a command prints, as an aligned table with a title above each column, or as JSON. */
export function printed(result: Printed, isJson: boolean): string {
  if (isJson) return `${JSON.stringify(result, null, 2)}\n`;
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
  // A name may hold what a terminal would carry out.
  return text.replaceAll(/\p{Cc}/gu, ' ');
}
