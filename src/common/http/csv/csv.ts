/** A cell of a CSV row; null is empty. */
export type Cell = string | number | null;

/** Formats rows as CSV (RFC 4180). Text that a spreadsheet would run as a formula is escaped. */
export const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');

function cellOf(cell: Cell): string {
  if (cell === null) return '';
  const text = typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
