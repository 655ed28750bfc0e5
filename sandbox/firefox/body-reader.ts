import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import type { StoreCall } from '../stand-in.js';
import type { StoredFile } from './addon.js';
import { amoRefusal } from './errors.js';

const MAX_JSON_BYTES = 1024 * 1024;

/** A request's body, read from either media type (src/stores/README.md#firefox-calls). */
export interface ReadBody {
  readonly values: Readonly<Record<string, unknown>>;
  /** Files of a form, by the name of their field. */
  readonly files: Readonly<Record<string, StoredFile>>;
}

/** Reads JSON, or a form whose files are written into `directory`. The caller deletes the files that it does not keep. */
export async function readBody(call: StoreCall, directory: string): Promise<ReadBody> {
  const type = call.headers['content-type'] ?? '';
  if (type.startsWith('multipart/form-data')) return readForm(call, directory);
  if (type.startsWith('application/json')) return { values: await readJson(call), files: {} };
  throw amoRefusal(415, `Unsupported media type "${type}" in request.`);
}

/** Deletes the files of a refused request. */
export async function discard({ files }: ReadBody): Promise<void> {
  for (const { path } of Object.values(files)) await rm(path, { force: true });
}

async function readJson({ stream }: StoreCall): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_JSON_BYTES) throw amoRefusal(413, 'Request body is too large.');
    chunks.push(chunk);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    throw amoRefusal(400, 'JSON parse error');
  }
  throw amoRefusal(400, 'Invalid data. Expected a dictionary.');
}

async function readForm({ stream, headers }: StoreCall, directory: string): Promise<ReadBody> {
  const values: Record<string, unknown> = {};
  const files: Record<string, StoredFile> = {};
  const writing: Promise<void>[] = [];
  const form = busboy({ headers, defParamCharset: 'utf8' });
  form.on('field', (name, value) => {
    values[name] = value;
  });
  form.on('file', (field, file, { filename, mimeType }) => {
    // Django treats a part without a file name as text.
    if (filename === undefined || filename === '') {
      values[field] = '';
      file.resume();
      return;
    }
    writing.push(
      write(file, directory, { name: filename, type: mimeType }).then((stored) => void (files[field] = stored)),
    );
  });
  try {
    await pipeline(stream.iterator({ destroyOnReturn: false }), form);
    await Promise.all(writing);
    return { values, files };
  } catch (error) {
    await Promise.allSettled(writing);
    await discard({ values, files });
    if (stream.destroyed && !stream.complete) throw error;
    throw amoRefusal(400, 'Multipart form parse error');
  }
}

async function write(
  file: Readable,
  directory: string,
  called: Pick<StoredFile, 'name' | 'type'>,
): Promise<StoredFile> {
  const path = join(directory, `${randomUUID()}.amo`);
  const hash = createHash('sha256');
  let size = 0;
  file.on('data', (chunk: Buffer) => {
    hash.update(chunk);
    size += chunk.length;
  });
  await pipeline(file, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  return { path, ...called, size, sha256: hash.digest('hex') };
}
