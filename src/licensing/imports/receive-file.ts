import { createHash } from 'node:crypto';
import { CsvFault, csvRows, type CsvRow, type CsvUpload } from '../../common/http/index.js';
import { delimiterOf } from './reading/delimiter.js';

/** More than any export of these tools: wide ones have half a kilobyte in a line. */
const MAX_BYTES = 100 * 1024 * 1024;
export const MAX_IMPORT_LINES = 100_000;
/** Cells with line breaks make more lines of the file than lines of the import. */
const LIMITS = { lines: 10 * MAX_IMPORT_LINES, cells: 300 };
/** Enough of a file to find what separates its cells. */
const BEGINNING = 4096;

/** What arrived. */
export interface ReceivedFile {
  readonly sha256: string;
  readonly size: number;
}

/** A file of licenses that arrives: its rows as they come, and then what it was. */
export class ArrivingFile {
  private readonly hash = createHash('sha256');
  private size = 0;

  constructor(private readonly upload: CsvUpload) {}

  /** Reads the rows, the first one included. @throws CsvFault, or a Problem of the upload */
  async *rows(): AsyncGenerator<CsvRow> {
    const texts = this.texts();
    let beginning = '';
    let isAll = false;
    while (beginning.length < BEGINNING && !isAll) {
      const next = await texts.next();
      isAll = next.done === true;
      beginning += next.done === true ? '' : next.value;
    }
    async function* whole(): AsyncGenerator<string> {
      yield beginning;
      yield* texts;
    }
    for await (const row of csvRows(whole(), LIMITS, delimiterOf(beginning))) if (!saysSeparator(row)) yield row;
  }

  /** What arrived, once all rows have been read. */
  get received(): ReceivedFile {
    return { sha256: this.hash.digest('hex'), size: this.size };
  }

  private async *texts(): AsyncGenerator<string> {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const decode = (bytes?: Uint8Array): string => {
      const text = orNull(() => (bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true })));
      // UTF-16 without a mark is UTF-8 with NULs.
      if (text === null || text.includes('\0')) throw new CsvFault('is not UTF-8. Save it as “CSV UTF-8”');
      return text;
    };
    for await (const bytes of this.upload(MAX_BYTES)) {
      this.hash.update(bytes);
      this.size += bytes.length;
      yield decode(bytes);
    }
    yield decode();
  }
}

/** @returns null when the bytes are none of the encoding */
function orNull(decode: () => string): string | null {
  try {
    return decode();
  } catch {
    return null;
  }
}

/** Whether a row only tells spreadsheets what separates cells: `sep=;`. */
const saysSeparator = ({ line, cells: [first, ...others] }: CsvRow): boolean =>
  line === 1 && first?.toLowerCase() === 'sep=' && others.every((cell) => cell === '');
