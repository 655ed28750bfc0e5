import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { InvalidRequest, UnsupportedMediaType } from '../common/problems/index.js';
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
const RAW_TYPES = new Set(['application/zip', 'application/octet-stream']);

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
): Promise<ReceivedPackage> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const isMultipart = type === 'multipart/form-data';
  if (!isMultipart && !RAW_TYPES.has(type))
    throw new UnsupportedMediaType('the zip as application/zip, application/octet-stream or multipart/form-data');
  if (!isMultipart && Number(request.headers['content-length'] ?? 0) > maxBytes) throw new ArtifactTooLarge(maxBytes);
  const file = await open(path, 'wx', 0o600);
  try {
    return await (isMultipart ? receiveForm(request, file, maxBytes) : receiveStream(request, file, maxBytes));
  } catch (error) {
    throw isBroken(request, error)
      ? new InvalidRequest([{ field: '', message: 'The upload ended before it was complete.' }])
      : error;
  } finally {
    await file.close();
  }
}

async function receiveStream(source: Readable, file: FileHandle, maxBytes: number): Promise<ReceivedPackage> {
  const hash = createHash('sha256');
  let size = 0;
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  const write = async (): Promise<void> => {
    await file.writev(waiting);
    waiting = [];
    waitingBytes = 0;
  };
  for await (const chunk of source as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new ArtifactTooLarge(maxBytes);
    hash.update(chunk);
    waiting.push(chunk);
    waitingBytes += chunk.length;
    if (waitingBytes >= WRITE_BYTES) await write();
  }
  if (waitingBytes > 0) await write();
  if (size === 0) throw new ArtifactRequired();
  return { sha256: hash.digest('hex'), size };
}

/** Reads the one file of a form; other fields are ignored, a second file is refused. */
async function receiveForm(request: IncomingMessage, file: FileHandle, maxBytes: number): Promise<ReceivedPackage> {
  const form = openForm(request);
  let received: Promise<ReceivedPackage> | undefined;
  form.on('file', (_field, stream) => {
    if (received !== undefined) {
      form.destroy(new InvalidRequest([{ field: '', message: 'The form must hold one file, and holds more.' }]));
      return;
    }
    received = receiveStream(stream, file, maxBytes);
    received.catch((error: Error) => form.destroy(error));
  });
  try {
    await pipeline(request, form);
  } catch (error) {
    // The file's own failure says more than that of the form around it.
    await received;
    throw error;
  }
  if (received === undefined) throw new ArtifactRequired();
  return received;
}

function openForm(request: IncomingMessage): busboy.Busboy {
  try {
    return busboy({ headers: request.headers, limits: { files: 2, fields: 20, fieldSize: 64 * 1024, parts: 30 } });
  } catch (error) {
    throw new InvalidRequest([{ field: '', message: `The form cannot be read: ${(error as Error).message}.` }]);
  }
}

/** The client went away, or what it sent is no form: nobody else's fault. */
const isBroken = (request: IncomingMessage, error: unknown): boolean =>
  request.errored !== null ||
  (error instanceof Error &&
    /^(Unexpected end of form|Malformed part header|Missing boundary|aborted)/i.test(error.message));
