/** What is done with files of licenses, in the worker thread. Loads neither Nest nor TypeORM. */
import { delimiterOf } from './reading/delimiter.js';
import { CsvFault, readCsv, type CsvLimits, type CsvPart, type CsvRow, type ReadRows } from './reading/read-csv.js';

/** Enough of a file to find what separates its cells. */
const BEGINNING = 4096;

/** The rows of a part of a file, and how the next part is read; or what is wrong with it, as the end of a sentence. */
export type ReadPart = (ReadRows & Pick<CsvPart, 'delimiter'>) | { readonly fault: string };

/** Reads a part of a file. @param input with the delimiter of the part before; null for the first one */
export async function readPart({
  limits,
  ...part
}: Omit<CsvPart, 'delimiter'> & {
  readonly delimiter: string | null;
  readonly limits: CsvLimits;
}): Promise<ReadPart> {
  const text = textOf(part);
  if (text === null) return { fault: 'is not UTF-8. Save it as “CSV UTF-8”' };
  const delimiter = part.delimiter ?? delimiterOf(text.slice(0, BEGINNING));
  try {
    const read = await readCsv({ ...part, delimiter }, limits);
    return { ...read, delimiter, rows: read.rows.filter((row) => !saysSeparator(row)) };
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error;
    return { fault: error.message };
  }
}

/** @returns null when the bytes are not UTF-8 */
function textOf({ bytes, isLast }: Pick<CsvPart, 'bytes' | 'isLast'>): string | null {
  // UTF-16 without a mark is UTF-8 with NULs.
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: !isLast });
  } catch {
    return null;
  }
}

/** Whether a row only tells spreadsheets what separates cells: `sep=;`. */
const saysSeparator = ({ line, cells: [first, ...others] }: CsvRow): boolean =>
  line === 1 && first?.toLowerCase() === 'sep=' && others.every((cell) => cell === '');
