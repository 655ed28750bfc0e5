import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { assertFromPierhead, problemFailure } from './problem.js';
import { idleLimit, timeoutError, withRetries } from './retry.js';
import { redirectFailure, type Service } from './service.js';

/** A service that has everything may take longer than usual: it examines the package, and stores it. */
const IDLE_FACTOR = 3;

/** A file that is sent as it is. */
export interface Body {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly contentType: string;
}

/** The body: a file as it is, or a form of texts and the file. */
export interface Content {
  readonly file: Body | null;
  /** Texts that may be too long for a URL. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** Receives how many bytes have been sent. */
export type OnProgress = (sent: number) => void;

interface Answered {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly location: string | null;
  /** Of the body. */
  readonly type: string;
  readonly body: unknown;
}

/**
 * Sends a file, streaming, so that memory stays flat whatever its size. A failed upload starts over; the service stores
 * equal contents once.
 * @param path with its query, below the address of the service
 * @throws Failure with what the service said when it refuses
 */
export async function upload<Result>(
  service: Service,
  path: string,
  content: Content,
  onProgress: OnProgress,
): Promise<Result> {
  const { options, url } = service;
  const answered = await withRetries(
    async () => send(service, new URL(`${url}${path}`), content, onProgress),
    (each) => each,
    true,
    { ...options, url },
  );
  if (answered.status >= 300 && answered.status < 400) throw redirectFailure(url, answered.location);
  assertFromPierhead(url, answered.status, answered.type);
  if (answered.status >= 400) throw problemFailure(answered.status, answered.body);
  return answered.body as Result;
}

async function send(
  service: Service,
  url: URL,
  { file, fields = {} }: Content,
  onProgress: OnProgress,
): Promise<Answered> {
  const body = Object.keys(fields).length === 0 ? file : formOf(file, fields);
  const { signal, userAgent } = service.options;
  const headers = {
    ...(await service.authentication()),
    'user-agent': userAgent,
    ...(body === null ? {} : { 'content-type': body.contentType }),
    'content-length': body?.size ?? 0,
  };
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
    method: 'POST',
    headers,
    // Counts while nothing moves, however long the whole takes.
    timeout: idleLimit(service.options) * IDLE_FACTOR,
    ...(signal === undefined ? {} : { signal }),
  });
  request.once('timeout', () => request.destroy(timeoutError()));
  const answered = new Promise<IncomingMessage>((resolve, reject) =>
    request.once('response', resolve).once('error', reject),
  );
  const sent = body === null ? Promise.resolve(request.end()) : stream(body, request, onProgress);
  // The service may refuse before it has read all; then the answer counts, and not that the connection broke off.
  sent.catch(() => undefined);
  const response = await answered;
  const type = response.headers['content-type'] ?? '';
  const content: unknown = type.includes('json') ? await json(response) : void response.resume();
  request.destroy();
  return {
    status: response.statusCode ?? 0,
    retryAfter: response.headers['retry-after'] ?? null,
    location: response.headers.location ?? null,
    type,
    body: content,
  };
}

/** A body with bytes around its file. */
interface Form extends Omit<Body, 'path'> {
  readonly path: string | null;
  readonly head: string;
  readonly tail: string;
}

/** A form of texts and a file, whose size is known before it is sent. */
function formOf(file: Body | null, fields: Readonly<Record<string, string>>): Form {
  const boundary = randomUUID();
  const part = (name: string, more: string): string =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const texts = Object.entries(fields).map(([name, text]) => `${part(name, '')}${text}\r\n`);
  const begin = file === null ? '' : part('package', `; filename="package.zip"\r\ncontent-type: ${file.contentType}`);
  const head = `${texts.join('')}${begin}`;
  const tail = `${file === null ? '' : '\r\n'}--${boundary}--\r\n`;
  return {
    path: file?.path ?? null,
    head,
    tail,
    size: Buffer.byteLength(head) + (file?.size ?? 0) + tail.length,
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}

/** The bytes of a body. */
async function* bytesOf(body: Body | Form): AsyncGenerator<Buffer> {
  if ('head' in body) yield Buffer.from(body.head);
  if (body.path !== null) yield* createReadStream(body.path) as AsyncIterable<Buffer>;
  if ('tail' in body) yield Buffer.from(body.tail);
}

/** Counts what the socket has taken, less what it still holds. */
async function stream(
  body: Body | Form,
  request: ReturnType<typeof requestHttp>,
  onProgress: OnProgress,
): Promise<void> {
  const count = (): void => {
    const { socket } = request;
    if (socket !== null) onProgress(Math.min(Math.max(socket.bytesWritten - socket.writableLength, 0), body.size));
  };
  const counted = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      count();
      yield chunk;
    }
  };
  try {
    await pipeline(bytesOf(body), counted, request);
    onProgress(body.size);
  } catch (error) {
    request.destroy(error as Error);
    throw error;
  }
}
