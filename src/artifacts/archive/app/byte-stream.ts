import { InvalidArchive } from '../archive-errors.js';
import { MAX_TOTAL_BYTES, MAX_TOTAL_RATIO, TOTAL_RATIO_FROM_BYTES } from '../archive-limits.js';

/** Takes bytes off a stream in pieces of any length, and refuses one that is longer than any package. */
export class ByteStream {
  private readonly pieces: AsyncIterator<Uint8Array>;
  private rest: Buffer = Buffer.alloc(0);
  private taken = 0;

  /** @param packedBytes from which the stream is unpacked */
  constructor(
    source: AsyncIterable<Uint8Array>,
    private readonly packedBytes: number,
  ) {
    this.pieces = source[Symbol.asyncIterator]();
  }

  /** The next bytes. @throws InvalidArchive where the stream ends before */
  async take(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    await this.each(length, (part) => parts.push(part));
    return Buffer.concat(parts);
  }

  /** Leaves out the next bytes. */
  skip(length: number): Promise<void> {
    return this.each(length, () => undefined);
  }

  private async each(length: number, use: (part: Buffer) => void): Promise<void> {
    for (let missing = length; missing > 0;) {
      if (this.rest.length === 0) await this.load();
      const part = this.rest.subarray(0, missing);
      this.rest = this.rest.subarray(part.length);
      missing -= part.length;
      use(part);
    }
  }

  private async load(): Promise<void> {
    const next = await this.pieces.next();
    if (next.done === true) throw new InvalidArchive('The package is truncated: its list of files does not end.');
    this.rest = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength);
    this.taken += this.rest.length;
    if (this.taken > MAX_TOTAL_BYTES)
      throw new InvalidArchive(`The package unpacks to more than ${MAX_TOTAL_BYTES / 1024 ** 3} GiB.`);
    if (this.taken > TOTAL_RATIO_FROM_BYTES && this.taken > MAX_TOTAL_RATIO * this.packedBytes)
      throw new InvalidArchive(`The package unpacks to more than ${MAX_TOTAL_RATIO} times its size, as zip bombs do.`);
  }
}
