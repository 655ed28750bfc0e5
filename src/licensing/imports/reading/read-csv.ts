import { CsvError, parse, type Info } from 'csv-parse';

/** What a file may have. */
export interface CsvLimits {
  readonly lines: number;
  readonly cells: number;
}

/** Bytes of a row, so that what is left over of a part is less than that. */
const MAX_ROW = 100_000;

/** What is wrong with a file, as the end of a sentence. */
export class CsvFault extends Error {}

/** The cells of a row, and the line of the text that it begins at. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** A part of a file, which begins with a row. */
export interface CsvPart {
  readonly bytes: Uint8Array;
  /** Lines of the file before it. */
  readonly linesBefore: number;
  readonly isLast: boolean;
  readonly delimiter: string;
}

/** The rows of a part that are whole, and where in it the next part begins. */
export interface ReadRows {
  readonly rows: readonly CsvRow[];
  readonly end: number;
  /** Lines of the file up to there. */
  readonly lines: number;
}

/**
 * Parses CSV as RFC 4180 defines it, with any line end. Skips a byte order mark and empty lines, and removes the apostrophe that a spreadsheet's
 * formula is escaped with. Stops at the first fault or limit.
 * @throws CsvFault
 */
export async function readCsv(part: CsvPart, limits: CsvLimits): Promise<ReadRows> {
  const { bytes, linesBefore, isLast, delimiter } = part;
  const rows: CsvRow[] = [];
  let [end, lines] = [0, linesBefore];
  const parser = parse({
    bom: linesBefore === 0,
    delimiter,
    max_record_size: MAX_ROW,
    on_record: (record: readonly string[], info: Pick<Info, 'lines'> & { readonly bytes: number }) => {
      [end, lines] = [info.bytes, linesBefore + info.lines];
      const line = lines - record.reduce((sum, cell) => sum + lineEndsIn(cell), 0);
      if (line > limits.lines) throw new CsvFault(`has more than ${limits.lines} lines`);
      if (record.length > limits.cells) throw new CsvFault(`has more than ${limits.cells} cells in line ${line}`);
      const cells = record.map((cell) => cell.trim().replace(/^'(?=[=+\-@\t\r])/, ''));
      if (cells.some((cell) => cell !== '')) rows.push({ line, cells });
      return null;
    },
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
  });
  try {
    await new Promise<void>((done, fail) => {
      const settle = (error?: Error | null): void => (error == null ? done() : fail(error));
      parser.on('error', fail);
      if (isLast) parser.end(bytes, settle);
      else parser.write(bytes, settle);
    });
  } catch (error) {
    throw error instanceof CsvError ? faultOf(error, linesBefore) : error;
  }
  // Separators count for no cell, so the parser would wait for the end of such a row however long it is.
  if (!isLast && bytes.length - end > MAX_ROW) throw tooLong(lines + 1);
  return { rows, end, lines };
}

const lineEndsIn = (cell: string): number => cell.match(/\r\n|\r|\n/g)?.length ?? 0;

const tooLong = (line: number): CsvFault => new CsvFault(`has more than ${MAX_ROW} characters in line ${line}`);

function faultOf({ code, lines = 1 }: CsvError & { readonly lines?: number }, linesBefore: number): CsvFault {
  const line = linesBefore + lines;
  if (code === 'CSV_QUOTE_NOT_CLOSED') return new CsvFault('is not CSV: a quoted cell does not end');
  if (code === 'CSV_MAX_RECORD_SIZE') return tooLong(line);
  return new CsvFault(`is not CSV: a quote in line ${line} neither begins nor ends a cell`);
}
