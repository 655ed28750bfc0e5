import type { IncomingMessage } from 'node:http';
import { InvalidRequest, PayloadTooLarge, UnsupportedMediaType } from '../problems/index.js';

/** Largest JSON body that is read. */
export const JSON_LIMIT_BYTES = 256 * 1024;
/** Pieces of a body that are kept apart: a piece of one byte takes four hundred in memory. */
const CHUNKS_MAX = 1024;
/** As long as a body that is no package may take: a whole request may take as long as a large package over a slow line. */
const BODY_TIME_MS = 30_000;

const JSON_OR_TEXT = /^(application\/(json|[\w.-]+\+json)|text\/plain)\s*(;|$)/i;
const BYTE_ORDER_MARK = /^\uFEFF/;
const OTHER_CHARSET = /;\s*charset\s*=\s*(?!"?utf-?8"?\s*(;|$))/i;

/**
 * Reads a JSON body that may also call itself `text/plain`, which spares browsers the preflight; for routes that read their own body.
 * An empty body reads as an empty object.
 * @throws UnsupportedMediaType, PayloadTooLarge, InvalidRequest
 */
export async function readJsonOrText(request: IncomingMessage): Promise<unknown> {
  const { 'content-type': type = '', 'content-length': length } = request.headers;
  if (length === '0' || (length === undefined && request.headers['transfer-encoding'] === undefined)) return {};
  if (!JSON_OR_TEXT.test(type) || !isPlainUtf8(request))
    throw new UnsupportedMediaType('a JSON body as application/json or text/plain, in UTF-8 and uncompressed');
  return readJson(request);
}

/** Whether a body is what `readJson` reads: uncompressed, and in UTF-8. */
export const isPlainUtf8 = ({ headers }: IncomingMessage): boolean =>
  (headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity' &&
  !OTHER_CHARSET.test(headers['content-type'] ?? '');

/**
 * Reads a whole JSON body in UTF-8. An empty one reads as an empty object.
 * @throws PayloadTooLarge, InvalidRequest
 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > JSON_LIMIT_BYTES) throw new PayloadTooLarge(JSON_LIMIT_BYTES);
  // Node hands out the head before it looks at what came behind it.
  await Promise.resolve();
  const bytes = arrived(request, announced) ?? (await inTime(awaited(request)));
  const text = bytes.toString('utf8').replace(BYTE_ORDER_MARK, '');
  if (text === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new InvalidRequest([{ field: '', message: 'The body is not well-formed JSON.' }]);
  }
}

/** Waits for a body, but not for ever. @throws InvalidRequest */
export async function inTime<Body>(reading: Promise<Body>): Promise<Body> {
  let late: NodeJS.Timeout | undefined;
  const tooSlow = new Promise<never>((_, reject) => {
    const problem = (): Error => new InvalidRequest([{ field: '', message: 'The body took too long to come.' }]);
    late = setTimeout(() => reject(problem()), BODY_TIME_MS);
  });
  try {
    return await Promise.race([reading, tooSlow]);
  } finally {
    clearTimeout(late);
  }
}

/** A body that came together with its head, as small ones do: without listeners and a timer for what is still to come. */
function arrived(request: IncomingMessage, announced: number): Buffer | null {
  if (announced === 0 || request.readableLength !== announced) return null;
  const bytes = request.read() as Buffer | null;
  request.resume();
  return bytes;
}

/** A body that is still on its way. */
function awaited(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > JSON_LIMIT_BYTES) return reject(new PayloadTooLarge(JSON_LIMIT_BYTES));
      chunks.push(chunk);
      if (chunks.length === CHUNKS_MAX) chunks = [Buffer.concat(chunks)];
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    const cutShort = (): void => {
      // After the end there is nothing to say, and an error is dear to make.
      if (!request.readableEnded) reject(new InvalidRequest([{ field: '', message: 'The body was cut short.' }]));
    };
    // Of a request, the only error is that its connection has gone: no fault of ours to log.
    request.once('error', cutShort);
    request.once('close', cutShort);
  });
}
