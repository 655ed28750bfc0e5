import { googleRefusal } from './errors.js';

/**
 * The second part of a multipart/related body, piece by piece: the first holds metadata, the second the package
 * (Google's "multipart" upload type, src/stores/README.md#chrome-upload). Throws the store's refusal when the body is cut short.
 */
export async function* relatedMedia(source: AsyncIterable<Buffer>, boundary: string): AsyncGenerator<Buffer> {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const endOfHeaders = Buffer.from('\r\n\r\n');
  const scanner = new Scanner(source);
  await scanner.skip(delimiter);
  await scanner.skip(endOfHeaders);
  await scanner.skip(delimiter);
  await scanner.skip(endOfHeaders);
  yield* scanner.until(delimiter);
  await scanner.finish();
}

/** Reads a stream up to patterns that may lie across its chunks. */
class Scanner {
  private readonly chunks: AsyncIterator<Buffer>;
  /** Begins with a line break, because the first delimiter needs none before it. */
  private pending: Buffer = Buffer.from('\r\n');

  constructor(source: AsyncIterable<Buffer>) {
    this.chunks = source[Symbol.asyncIterator]();
  }

  /** The bytes before the pattern; the pattern itself is skipped. */
  async *until(pattern: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.pending.indexOf(pattern);
      if (at >= 0) {
        const before = this.pending.subarray(0, at);
        this.pending = this.pending.subarray(at + pattern.length);
        if (before.length > 0) yield before;
        return;
      }
      // The last bytes may be the beginning of the pattern, so they wait for the next chunk.
      const safe = Math.max(0, this.pending.length - pattern.length + 1);
      if (safe > 0) yield this.pending.subarray(0, safe);
      const next = await this.chunks.next();
      if (next.done) throw googleRefusal('INVALID_ARGUMENT', 'The multipart body ended too early.');
      this.pending = Buffer.concat([this.pending.subarray(safe), next.value]);
    }
  }

  async skip(pattern: Buffer): Promise<void> {
    const passed = this.until(pattern);
    while (!(await passed.next()).done);
  }

  /** Reads the rest, so that the request is read to its end. */
  async finish(): Promise<void> {
    while (!(await this.chunks.next()).done);
  }
}
