import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { StoreFailure } from '../store-failure.js';
import type { StorePackage } from '../store.js';

/** What tells AMO the kind of a file. */
export interface FileKind {
  readonly fileName: string;
  readonly type: string;
}

/** A file to be sent. */
export interface FormFile extends FileKind {
  readonly field: string;
  readonly file: Pick<StorePackage, 'size' | 'open'>;
}

/** A `multipart/form-data` body, ready to be sent once. */
export interface Form {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
}

/**
 * Flat fields and one file as `multipart/form-data`, streamed. Its length is named in advance, as every browser does: Django takes a
 * request without a length for an empty one.
 */
export async function formOf(
  fields: Readonly<Record<string, string>>,
  { field, fileName, type, file }: FormFile,
): Promise<Form> {
  const boundary = `----pierhead-${randomUUID()}`;
  const plain = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const opening =
    `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${fileName}"\r\n` +
    `Content-Type: ${type}\r\n\r\n`;
  const [head, tail] = [Buffer.from(`${plain.join('')}${opening}`), Buffer.from(`\r\n--${boundary}--\r\n`)];
  const source = await opened(file);
  const body = Readable.from(between(head, source, tail));
  // A body that is given up before anyone reads it would otherwise leave the file open.
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

/** As what AMO takes an archive of sources, by the archive's first bytes (docs/stores.md#firefox-channels). */
export async function archiveKind(file: Pick<StorePackage, 'open'>): Promise<FileKind> {
  const source = await opened(file);
  try {
    for await (const chunk of source) {
      const head = Buffer.from(chunk as Buffer).toString('latin1', 0, 3);
      if (head.startsWith('\u001F\u008B')) return { fileName: 'source.tar.gz', type: 'application/gzip' };
      if (head === 'BZh') return { fileName: 'source.tar.bz2', type: 'application/x-bzip2' };
      break;
    }
    return { fileName: 'source.zip', type: 'application/zip' };
  } catch (cause) {
    throw unreadable(cause);
  } finally {
    source.destroy();
  }
}

async function* between(head: Buffer, source: Readable, tail: Buffer): AsyncGenerator<Buffer> {
  yield head;
  for await (const chunk of source) yield Buffer.from(chunk as Buffer | string);
  yield tail;
}

async function opened(file: Pick<StorePackage, 'open'>): Promise<Readable> {
  try {
    return await file.open();
  } catch (cause) {
    throw unreadable(cause);
  }
}

const unreadable = (cause: unknown): StoreFailure =>
  new StoreFailure('retry', 'The package could not be opened to be sent.', { cause });
