import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import busboy from 'busboy';
import { InvalidRequest, Problem, UnsupportedMediaType } from '../common/problems/index.js';
import { ArtifactRequired, ArtifactTooLarge } from './artifacts.problems.js';

/** A package that has arrived whole, on this machine's disk. */
export interface ReceivedPackage {
  /** Hex. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/** Written to disk this many bytes at a time: fewer calls than the socket's own pieces, and still flat memory. */
const WRITE_BYTES = 1024 * 1024;

/** What a body may be, besides a form with the same as its file. */
export interface Acceptable {
  readonly types: ReadonlySet<string>;
  /** In words. */
  readonly what: string;
}

const PACKAGE: Acceptable = { types: new Set(['application/zip', 'application/octet-stream']), what: 'the zip' };
/** What a form may have beside its file. */
const FORM_LIMITS = { files: 2, fields: 20, fieldSize: 64 * 1024, parts: 30 };
const FORM_EXTRA_BYTES = FORM_LIMITS.fields * FORM_LIMITS.fieldSize + 1024 * 1024;

/** Whether the request announces a body at all. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Streams a request's package into a file, hashing on the way; memory stays flat whatever the size.
 * @param path a file to make; it is the caller's to remove when this throws
 * @throws UnsupportedMediaType, ArtifactTooLarge (as soon as it is known), ArtifactRequired, InvalidRequest
 */
export async function receivePackage(
  request: IncomingMessage,
  path: string,
  maxBytes: number,
  { types, what }: Acceptable = PACKAGE,
): Promise<ReceivedPackage> {
  const { headers } = request;
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const isForm = type === 'multipart/form-data';
  if (!isForm && !types.has(type))
    throw new UnsupportedMediaType(`${what} as ${[...types].join(', ')} or multipart/form-data`);
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new UnsupportedMediaType(`${what} as it is, without a Content-Encoding`);
  if (Number(headers['content-length'] ?? 0) > (isForm ? maxBytes + FORM_EXTRA_BYTES : maxBytes))
    throw new ArtifactTooLarge(maxBytes);
  const file = await open(path, 'wx', 0o600);
  try {
    return await (isForm ? receiveForm(request, file, maxBytes) : receiveStream(request, file, maxBytes));
  } catch (error) {
    throw asProblem(request, error);
  } finally {
    await file.close();
  }
}

/** Leaves the source whole when it throws: destroying a request would cut the connection that the answer is to go out on. */
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

/** Writes behind the one who fills it, at most one batch: the disk works while the next bytes are received and hashed. */
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
    // Whoever waits for it next is told; until then nobody is, and that is no crash.
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

/** Reads the one file of a form; other fields are ignored, unless they are too many; a second file is refused. */
async function receiveForm(request: IncomingMessage, file: FileHandle, maxBytes: number): Promise<ReceivedPackage> {
  const form = openForm(request);
  let received: Promise<ReceivedPackage> | undefined;
  form.on('fieldsLimit', () => form.destroy(tooManyFields()));
  form.on('partsLimit', () => form.destroy(tooManyFields()));
  form.on('file', (_field, stream) => {
    // The form destroys its file when it fails itself; whoever reads the file is told, and nobody else needs to be.
    stream.on('error', () => undefined);
    if (received !== undefined) {
      form.destroy(new InvalidRequest([{ field: '', message: 'The form must hold one file, and holds more.' }]));
      return;
    }
    received = receiveStream(stream, file, maxBytes);
    received.catch((error: Error) => form.destroy(error));
  });
  try {
    await feed(request, form, maxBytes);
  } catch (error) {
    // The file's own failure says more than that of the form around it.
    await received;
    throw error;
  }
  if (received === undefined) throw new ArtifactRequired();
  return received;
}

/** No pipeline, which would destroy the request, and with it the connection, when the form fails. */
async function feed(request: IncomingMessage, form: busboy.Busboy, maxBytes: number): Promise<void> {
  let size = 0;
  // A client may have left before anybody listened: no event tells of it any more, and a pipe would wait for ever.
  finished(request, { writable: false }).catch((error: Error) => form.destroy(error));
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes + FORM_EXTRA_BYTES) form.destroy(new ArtifactTooLarge(maxBytes));
  });
  request.pipe(form);
  await finished(form);
}

const tooManyFields = (): Error =>
  new InvalidRequest([
    { field: '', message: `The form holds too many fields: it may have ${FORM_LIMITS.fields} beside its file.` },
  ]);

function openForm(request: IncomingMessage): busboy.Busboy {
  try {
    return busboy({ headers: request.headers, limits: FORM_LIMITS });
  } catch (error) {
    throw new InvalidRequest([{ field: '', message: `The form cannot be read: ${(error as Error).message}.` }]);
  }
}

/** Says whose fault it is that the package did not arrive: the client's, where he went away or what he sent is no form. */
function asProblem(request: IncomingMessage, error: unknown): unknown {
  if (error instanceof Problem) return error;
  if (request.errored !== null || (request.destroyed && !request.complete))
    return new InvalidRequest([{ field: '', message: 'The upload ended before it was complete.' }]);
  if (error instanceof Error && /^(Unexpected end of (form|file)|Malformed part header)/.test(error.message))
    return new InvalidRequest([
      { field: '', message: 'The form is malformed, or ends without the line that closes it.' },
    ]);
  return error;
}
