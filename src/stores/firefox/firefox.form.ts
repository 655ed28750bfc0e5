import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { StoreFailure } from '../failures/index.js';
import { openPackage } from '../store-http.js';
import type { StorePackage } from '../store.js';

/** The file name and type by which AMO recognizes a file. */
export interface FileKind {
  readonly fileName: string;
  readonly type: string;
}

/** A file to send. */
export interface FormFile extends FileKind {
  readonly field: string;
  readonly file: Pick<StorePackage, 'size' | 'open'>;
}

/** A `multipart/form-data` body that can be sent once. */
export interface Form {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
}

/**
 * Flat fields and one file as `multipart/form-data`, streamed. Its length is sent in advance, because Django treats a request without
 * a length as empty.
 */
export async function formOf(
  fields: Readonly<Record<string, string>>,
  { field, fileName, type, file }: FormFile,
): Promise<Form> {
  const boundary = `----pierhead-${randomUUID()}`;
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const opening =
    `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${fileName}"\r\n` +
    `Content-Type: ${type}\r\n\r\n`;
  const [head, tail] = [Buffer.from(`${parts.join('')}${opening}`), Buffer.from(`\r\n--${boundary}--\r\n`)];
  const source = await openPackage(file);
  const body = Readable.from(between(head, source, tail));
  // A body that is never read would otherwise leave the file open.
  body.once('close', () => source.destroy());
  source.on('error', (error) => body.destroy(error));
  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + file.size + tail.length),
    },
    body,
  };
}

/** The file name and type of a source archive, by its first bytes (src/stores/README.md#firefox-channels). */
export async function archiveKind(file: Pick<StorePackage, 'open'>): Promise<FileKind> {
  const source = await openPackage(file);
  try {
    for await (const chunk of source) {
      const head = Buffer.from(chunk as Buffer).toString('latin1', 0, 3);
      if (head.startsWith('\u001F\u008B')) return { fileName: 'source.tar.gz', type: 'application/gzip' };
      if (head === 'BZh') return { fileName: 'source.tar.bz2', type: 'application/x-bzip2' };
      break;
    }
    return { fileName: 'source.zip', type: 'application/zip' };
  } catch (cause) {
    throw new StoreFailure('retry', 'The source archive could not be read.', { cause });
  } finally {
    source.destroy();
  }
}

async function* between(head: Buffer, source: Readable, tail: Buffer): AsyncGenerator<Buffer> {
  yield head;
  for await (const chunk of source) yield Buffer.from(chunk as Buffer | string);
  yield tail;
}
