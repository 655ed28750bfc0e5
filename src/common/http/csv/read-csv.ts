/**
 * Parses CSV as RFC 4180 defines it, with any line end. Skips a byte order mark and empty lines, and removes the apostrophe that {@link csvOf}
 * puts before a formula. Pure.
 * @returns null when a quoted cell is not closed, or is followed by more text
 */
export function readCsv(text: string): readonly CsvRow[] | null {
  const rows: CsvRow[] = [];
  let [cells, line, rowLine]: [string[], number, number] = [[], 1, 1];
  const pattern = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r\n|\r|\n|$)/y;
  const source = text.replace(/^\uFEFF/, '');
  while (pattern.lastIndex < source.length || cells.length > 0) {
    const found = pattern.exec(source);
    if (found === null) return null;
    const [whole, quoted, plain = '', end] = found;
    cells.push((quoted?.replaceAll('""', '"') ?? plain).trim().replace(/^'(?=[=+\-@\t\r])/, ''));
    line += whole.match(/\r\n|\r|\n/g)?.length ?? 0;
    if (end === ',') continue;
    if (cells.some((cell) => cell !== '')) rows.push({ line: rowLine, cells });
    [cells, rowLine] = [[], line];
  }
  return rows;
}

/** The cells of a row, and the line of the text that it begins at. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}
