import { createHash } from 'node:crypto';
import type { CsvUpload } from '../../common/http/index.js';
import { TaskTooCostly, type ThreadTask, type WorkerThread } from '../../common/jobs/index.js';
import type { readPart, ReadPart } from './import.tasks.js';
import { CsvFault, type CsvRow } from './reading/read-csv.js';

/** More than any export of these tools: wide ones have half a kilobyte in a line. */
const MAX_BYTES = 100 * 1024 * 1024;
export const MAX_IMPORT_LINES = 100_000;
/** Cells with line breaks make more lines of the file than lines of the import. */
const LIMITS = { lines: 10 * MAX_IMPORT_LINES, cells: 300 };
/** Read at a time: little enough that taking over the rows holds nobody up. */
const PART_BYTES = 128 * 1024;

const READ_PART: ThreadTask<typeof readPart> = { file: new URL('import.tasks.js', import.meta.url), name: 'readPart' };

/** What arrived. */
export interface ReceivedFile {
  readonly sha256: string;
  readonly size: number;
}

/** A file of licenses that arrives: its rows as they come, read in the worker thread, and then what it was. */
export class ArrivingFile {
  private readonly hash = createHash('sha256');
  private size = 0;

  constructor(
    private readonly upload: CsvUpload,
    private readonly thread: WorkerThread,
  ) {}

  /** Reads the rows, the first one included. @throws CsvFault, or a Problem of the upload */
  async *rows(): AsyncGenerator<CsvRow> {
    let waiting: Uint8Array[] = [];
    let place = { linesBefore: 0, delimiter: null as string | null };
    const readOn = async (isLast: boolean): Promise<readonly CsvRow[]> => {
      const bytes = Buffer.concat(waiting);
      const read = await this.read({ ...place, bytes, isLast });
      waiting = [bytes.subarray(read.end)];
      place = { linesBefore: read.lines, delimiter: read.delimiter };
      return read.rows;
    };
    let unread = 0;
    for await (const bytes of this.upload(MAX_BYTES)) {
      this.hash.update(bytes);
      this.size += bytes.length;
      waiting.push(bytes);
      unread += bytes.length;
      if (unread < PART_BYTES) continue;
      yield* await readOn(false);
      unread = 0;
    }
    yield* await readOn(true);
  }

  /** What arrived, once all rows have been read. */
  get received(): ReceivedFile {
    return { sha256: this.hash.digest('hex'), size: this.size };
  }

  private async read(
    part: Omit<Parameters<typeof readPart>[0], 'limits'>,
  ): Promise<Exclude<ReadPart, { fault: string }>> {
    const read = await this.thread.run(READ_PART, { ...part, limits: LIMITS }).catch((error: unknown) => {
      throw error instanceof TaskTooCostly ? new CsvFault(`takes more than ${error.limit} to read`) : error;
    });
    if ('fault' in read) throw new CsvFault(read.fault);
    return read;
  }
}
