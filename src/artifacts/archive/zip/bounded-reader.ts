import type { FileHandle } from 'node:fs/promises';
import { RandomAccessReader } from 'yauzl';
import { InvalidArchive } from '../archive-errors.js';

const WINDOW_BYTES = 64 * 1024;

/**
 * Reads pieces of a file and refuses every position outside it: yauzl hands positions out of the zip to the file system
 * unchecked, and one above 2^53 ends the whole process. Neighbouring reads share one call to the disk.
 */
export class BoundedReader extends RandomAccessReader {
  /** A read error of the disk, not of the package. */
  fault: unknown;

  private window: Buffer = Buffer.alloc(0);
  private windowAt = 0;

  constructor(
    private readonly file: FileHandle,
    /** Bytes of the zip. */
    readonly size: number,
    /** Where the zip begins in the file. */
    private readonly start = 0,
  ) {
    super();
  }

  /** Called by yauzl. */
  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.readAt(position, length).then((bytes) => {
      bytes.copy(buffer, offset);
      callback(null);
    }, callback);
  }

  /** The bytes at `position`, all of them or a refusal. */
  async readAt(position: number, length: number): Promise<Buffer> {
    if (!Number.isSafeInteger(position) || position < 0 || position + length > this.size) {
      throw new InvalidArchive('The file is truncated or damaged: it refers to bytes outside of the file.');
    }
    const from = position - this.windowAt;
    if (from >= 0 && from + length <= this.window.length) return this.window.subarray(from, from + length);
    this.window = await this.load(position, Math.min(Math.max(length, WINDOW_BYTES), this.size - position));
    this.windowAt = position;
    return this.window.subarray(0, length);
  }

  private async load(position: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(length);
    try {
      for (let filled = 0; filled < length;) {
        const { bytesRead } = await this.file.read(bytes, filled, length - filled, this.start + position + filled);
        if (bytesRead === 0) throw new Error('The file became shorter while it was being read.');
        filled += bytesRead;
      }
      return bytes;
    } catch (error) {
      this.fault = error;
      throw error;
    }
  }
}
