import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** A file of a zip, whose content is read when its turn comes. */
export interface ZipEntry {
  readonly name: string;
  readonly content: () => AsyncIterable<string | Uint8Array> | Iterable<string>;
  /** False for what is compressed already. */
  readonly compress?: boolean;
}

/** Size and digest of the written file. */
export interface WrittenZip {
  readonly size: number;
  readonly sha256: string;
}

/**
 * Writes a zip with constant memory, readable for this user alone.
 * @param transform changes the bytes of the zip on their way to the file, such as by encryption
 * @throws what reading an entry throws; the file is incomplete then
 */
export async function writeZip(
  path: string,
  entries: Iterable<ZipEntry>,
  transform: (zip: Readable) => Readable | Promise<Readable> = (zip) => zip,
): Promise<WrittenZip> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  // Without this, yazl would wait forever for an entry that failed.
  zip.on('error', (error) => output.destroy(error as Error));
  for (const { name, content, compress = true } of entries)
    zip.addReadStreamLazy(name, { compress }, (ready) => {
      const stream = Readable.from(content(), { objectMode: false });
      stream.on('error', (error) => zip.emit('error', error));
      ready(null, stream);
    });
  zip.end();

  const hash = createHash('sha256');
  let size = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      size += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(await transform(output), measure, createWriteStream(path, { mode: 0o600 }));
  return { size, sha256: hash.digest('hex') };
}
