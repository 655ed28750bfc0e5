import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import busboy from 'busboy';
import { invalidBody, Problem, UnsupportedMediaType } from '../../common/problems/index.js';
import { ArtifactRequired, ArtifactTooLarge } from '../artifacts.problems.js';
import { PACKAGE, type Acceptable, type Upload } from './upload.js';

/** A package that has arrived whole, on this machine's disk. */
export interface ReceivedPackage {
  /** Hex. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/** Parts of a request: a package, or none where a form had no file, and the other fields of the form. */
export interface ReceivedUpload {
  readonly file: ReceivedPackage | null;
  readonly fields: Readonly<Record<string, string>>;
}

/** Bytes written to disk at a time: fewer calls than the socket's own pieces, and memory stays flat. */
const WRITE_BYTES = 1024 * 1024;

/** Fields that a form may have besides its file. */
const FORM_LIMITS = { files: 2, fields: 20, fieldSize: 256 * 1024, parts: 30 };
/** All fields together, and what separates them. */
const FORM_EXTRA_BYTES = 2 * 1024 * 1024;

/**
 * Streams a package into a file, hashing on the way; memory stays flat whatever the size.
 * @param path a file to make; it is the caller's to remove when this throws
 * @throws UnsupportedMediaType, ArtifactTooLarge (as soon as it is known), ArtifactRequired, InvalidRequest
 */
export async function receivePackage(
  upload: Upload,
  path: string,
  maxBytes: number,
  { types, what }: Acceptable = PACKAGE,
): Promise<ReceivedUpload> {
  const { body, contentType, contentEncoding, contentLength } = upload;
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  const isForm = type === 'multipart/form-data';
  if (!isForm && !types.has(type))
    throw new UnsupportedMediaType(`${what} as ${[...types].join(', ')} or multipart/form-data`);
  if (contentEncoding !== 'identity') throw new UnsupportedMediaType(`${what} as it is, without a Content-Encoding`);
  if ((contentLength ?? 0) > (isForm ? maxBytes + FORM_EXTRA_BYTES : maxBytes)) throw new ArtifactTooLarge(maxBytes);
  const file = await open(path, 'wx', 0o600);
  try {
    if (isForm) return await receiveForm(upload, file, maxBytes);
    return { file: await receiveStream(body, file, maxBytes), fields: {} };
  } catch (error) {
    throw asProblem(body, error);
  } finally {
    await file.close();
  }
}

/** Does not destroy the source when it throws: destroying a request cuts the connection that the answer goes out on. */
async function receiveStream(source: Readable, file: FileHandle, maxBytes: number): Promise<ReceivedPackage> {
  const hash = createHash('sha256');
  const writer = new FileWriter(file);
  let size = 0;
  try {
    for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new ArtifactTooLarge(maxBytes);
      hash.update(chunk);
      await writer.write(chunk);
    }
  } finally {
    await writer.end();
  }
  if (size === 0) throw new ArtifactRequired();
  return { sha256: hash.digest('hex'), size };
}

/** Writes one batch while the next is received and hashed. */
class FileWriter {
  private waiting: Uint8Array[] = [];
  private waitingBytes = 0;
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly file: FileHandle) {}

  async write(chunk: Uint8Array): Promise<void> {
    this.waiting.push(chunk);
    this.waitingBytes += chunk.length;
    if (this.waitingBytes < WRITE_BYTES) return;
    await this.writing;
    this.writing = this.writeAll();
    // The next await reports a failure; until then it must not count as an unhandled rejection.
    this.writing.catch(() => undefined);
  }

  /** Resolves when everything has been handed to the system, so that the file may be closed. */
  async end(): Promise<void> {
    await this.writing;
    if (this.waitingBytes > 0) await this.writeAll();
  }

  private async writeAll(): Promise<void> {
    const [chunks, bytes] = [this.waiting, this.waitingBytes];
    this.waiting = [];
    this.waitingBytes = 0;
    const { bytesWritten } = await this.file.writev(chunks);
    if (bytesWritten !== bytes) throw new Error('The disk took only a part of an upload');
  }
}

/** Reads the one file of a form and, up to a limit, its other fields; a second file is refused. */
async function receiveForm(upload: Upload, file: FileHandle, maxBytes: number): Promise<ReceivedUpload> {
  const form = openForm(upload);
  const fields = new Map<string, string>();
  form.on('field', (name, value, { valueTruncated }) => {
    if (valueTruncated) form.destroy(invalidBody(`A field of the form has at most ${FORM_LIMITS.fieldSize} bytes.`));
    else fields.set(name, value);
  });
  let received: Promise<ReceivedPackage> | undefined;
  form.on('fieldsLimit', () => form.destroy(tooManyFields()));
  form.on('partsLimit', () => form.destroy(tooManyFields()));
  form.on('file', (_field, stream) => {
    // A form that fails destroys its file; the reader of the file reports that.
    stream.on('error', () => undefined);
    if (received !== undefined) {
      form.destroy(invalidBody('The form must have exactly one file.'));
      return;
    }
    received = receiveStream(stream, file, maxBytes);
    received.catch((error: Error) => form.destroy(error));
  });
  try {
    await feed(upload.body, form, maxBytes);
  } catch (error) {
    // The failure of the file is more precise than that of the form around it.
    await received;
    throw error;
  }
  return { file: (await received) ?? null, fields: Object.fromEntries(fields) };
}

/** No pipeline, which would destroy the request, and with it the connection, when the form fails. */
async function feed(body: Readable, form: busboy.Busboy, maxBytes: number): Promise<void> {
  let size = 0;
  // A client may have disconnected before anything listened: no event follows, and a pipe would wait forever.
  finished(body, { writable: false }).catch((error: Error) => form.destroy(error));
  body.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes + FORM_EXTRA_BYTES) form.destroy(new ArtifactTooLarge(maxBytes));
  });
  body.pipe(form);
  await finished(form);
}

const tooManyFields = (): Error =>
  invalidBody(`The form has too many fields: it may have ${FORM_LIMITS.fields} besides its file.`);

function openForm({ contentType }: Upload): busboy.Busboy {
  try {
    return busboy({ headers: { 'content-type': contentType }, limits: FORM_LIMITS });
  } catch (error) {
    throw invalidBody(`The form cannot be read: ${(error as Error).message}.`);
  }
}

/** Turns a failure into a problem where the client caused it: it disconnected, or did not send a form. */
function asProblem(body: Readable, error: unknown): unknown {
  if (error instanceof Problem) return error;
  if (body.errored !== null || (error as { readonly code?: unknown }).code === 'ERR_STREAM_PREMATURE_CLOSE')
    return invalidBody('The upload ended before it was complete.');
  if (error instanceof Error && /^(Unexpected end of (form|file)|Malformed part header)/.test(error.message))
    return invalidBody('The form is malformed or incomplete.');
  return error;
}
