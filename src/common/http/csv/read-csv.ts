/** More than any route takes: a file of empty cells or of short lines would hold up every other request. */
const MAX_LINES = 10_000;
const MAX_CELLS = 100;

/**
 * Parses CSV as RFC 4180 defines it, with any line end. Skips a byte order mark and empty lines, and removes the apostrophe that {@link csvOf}
 * puts before a formula. Stops at the first fault or limit. Pure.
 * @returns the rows, or what is wrong, as the end of a sentence
 */
export function readCsv(text: string): readonly CsvRow[] | string {
  const rows: CsvRow[] = [];
  let [cells, line, rowLine]: [string[], number, number] = [[], 1, 1];
  const pattern = /(?:"([^"]*(?:""[^"]*){0,1000})"|([^",\r\n]*))(,|\r\n|\r|\n|$)/y;
  const source = text.replace(/^\uFEFF/, '');
  while (pattern.lastIndex < source.length || cells.length > 0) {
    const found = pattern.exec(source);
    if (found === null) return 'is not CSV: a quoted cell does not end';
    const [whole, quoted, plain = '', end] = found;
    cells.push((quoted?.replaceAll('""', '"') ?? plain).trim().replace(/^'(?=[=+\-@\t\r])/, ''));
    if (cells.length > MAX_CELLS) return `has more than ${MAX_CELLS} cells in line ${rowLine}`;
    line += whole.match(/\r\n|\r|\n/g)?.length ?? 0;
    if (end === ',') continue;
    if (cells.some((cell) => cell !== '')) rows.push({ line: rowLine, cells });
    if (line > MAX_LINES) return `has more than ${MAX_LINES} lines`;
    [cells, rowLine] = [[], line];
  }
  return rows;
}

/** The cells of a row, and the line of the text that it begins at. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}
