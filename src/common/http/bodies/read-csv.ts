import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { CsvError, parse, type Info } from 'csv-parse';

/** What a file may have. */
interface CsvLimits {
  readonly lines: number;
  readonly cells: number;
}

const MAX_ROW = 100_000;
/** Characters that are parsed at a time; other requests run in between. */
const SLICE = 256;

/** What is wrong with a file, as the end of a sentence. */
export class CsvFault extends Error {}

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
 * Parses CSV as RFC 4180 defines it, with any line end, as it arrives. Skips a byte order mark and empty lines, and removes the apostrophe that
 * {@link csvOf} puts before a formula. Stops at the first fault or limit, and lets other requests run meanwhile.
 * @throws CsvFault
 */
export async function* csvRows(
  pieces: Iterable<string> | AsyncIterable<string>,
  limits: CsvLimits,
  delimiter = ',',
): AsyncGenerator<CsvRow> {
  let lineEnds = 0;
  const parser = parse({
    bom: true,
    delimiter,
    // Refuses a row while it is parsed: a megabyte of commas would become a million cells, whose garbage holds up other requests.
    cast: (cell, { index, lines }) => {
      lineEnds = (index === 0 ? 0 : lineEnds) + lineEndsIn(cell);
      if (index >= limits.cells) throw new CsvFault(`has more than ${limits.cells} cells in line ${lines - lineEnds}`);
      return cell;
    },
    info: true,
    max_record_size: MAX_ROW,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
  });
  const source = Readable.from(slicesOf(pieces));
  // A pipe hands on no failure, and the parser would wait for ever.
  source.on('error', (error) => parser.destroy(error));
  try {
    for await (const row of source.pipe(parser)) {
      const { record, info } = row as ParsedRow;
      const line = info.lines - record.reduce((sum, cell) => sum + lineEndsIn(cell), 0);
      if (line > limits.lines) throw new CsvFault(`has more than ${limits.lines} lines`);
      const cells = record.map((cell) => cell.trim().replace(/^'(?=[=+\-@\t\r])/, ''));
      if (cells.some((cell) => cell !== '')) yield { line, cells };
    }
  } catch (error) {
    throw error instanceof CsvError ? faultOf(error) : error;
  } finally {
    source.destroy();
  }
}

async function* slicesOf(pieces: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  for await (const text of pieces)
    for (let at = 0; at < text.length; at += SLICE) {
      yield text.slice(at, at + SLICE);
      await setImmediate();
    }
}

const lineEndsIn = (cell: string): number => cell.match(/\r\n|\r|\n/g)?.length ?? 0;

function faultOf({ code, lines }: CsvError & { readonly lines?: number }): CsvFault {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return new CsvFault('is not CSV: a quoted cell does not end');
  if (code === 'CSV_MAX_RECORD_SIZE') return new CsvFault(`has more than ${MAX_ROW} characters in line ${lines ?? 1}`);
  return new CsvFault(`is not CSV: a quote in line ${lines ?? 1} neither begins nor ends a cell`);
}
