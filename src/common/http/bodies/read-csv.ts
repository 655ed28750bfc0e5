import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { CsvError, parse, type Info } from 'csv-parse';

/** More than any route takes. */
const MAX_LINES = 10_000;
const MAX_CELLS = 100;
const MAX_ROW = 100_000;
/** Characters that are parsed at a time; other requests run in between. */
const SLICE = 256;

/** The cells of a row, and the line of the text that it begins at. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** A row as the parser gives it; `lines` counts those up to the row's end. */
interface ParsedRow {
  readonly record: readonly string[];
  readonly info: Pick<Info, 'lines'>;
}

/**
 * Parses CSV as RFC 4180 defines it, with any line end. Skips a byte order mark and empty lines, and removes the apostrophe that {@link csvOf}
 * puts before a formula. Stops at the first fault or limit, and lets other requests run meanwhile.
 * @returns the rows, or what is wrong, as the end of a sentence
 */
export async function readCsv(text: string): Promise<readonly CsvRow[] | string> {
  const rows: CsvRow[] = [];
  let lineEnds = 0;
  const parser = parse({
    bom: true,
    // Refuses a row while it is parsed: a megabyte of commas would become a million cells, whose garbage holds up other requests.
    cast: (cell, { index, lines }) => {
      lineEnds = (index === 0 ? 0 : lineEnds) + lineEndsIn(cell);
      if (index >= MAX_CELLS) throw new TooManyCells(lines - lineEnds);
      return cell;
    },
    info: true,
    max_record_size: MAX_ROW,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
  });
  try {
    for await (const row of Readable.from(slicesOf(text)).pipe(parser)) {
      const { record, info } = row as ParsedRow;
      const line = info.lines - record.reduce((sum, cell) => sum + lineEndsIn(cell), 0);
      if (line > MAX_LINES) return `has more than ${MAX_LINES} lines`;
      const cells = record.map((cell) => cell.trim().replace(/^'(?=[=+\-@\t\r])/, ''));
      if (cells.some((cell) => cell !== '')) rows.push({ line, cells });
    }
  } catch (error) {
    if (error instanceof TooManyCells) return `has more than ${MAX_CELLS} cells in line ${error.line}`;
    if (error instanceof CsvError) return faultOf(error);
    throw error;
  }
  return rows;
}

async function* slicesOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += SLICE) {
    yield text.slice(at, at + SLICE);
    await setImmediate();
  }
}

const lineEndsIn = (cell: string): number => cell.match(/\r\n|\r|\n/g)?.length ?? 0;

class TooManyCells extends Error {
  constructor(readonly line: number) {
    super();
  }
}

function faultOf({ code, lines }: CsvError & { readonly lines?: number }): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'is not CSV: a quoted cell does not end';
  if (code === 'CSV_MAX_RECORD_SIZE') return `has more than ${MAX_ROW} characters in line ${lines ?? 1}`;
  return `is not CSV: a quote in line ${lines ?? 1} neither begins nor ends a cell`;
}
