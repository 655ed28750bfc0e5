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
 * @param body null for a request without one
 * @throws Failure with what the service said when it refuses
 */
export async function upload<Result>(
  service: Service,
  path: string,
  body: Body | null,
  onProgress: OnProgress,
): Promise<Result> {
  const { options, url } = service;
  const answered = await withRetries(
    async () => send(service, new URL(`${url}${path}`), body, onProgress),
    (each) => each,
    true,
    { ...options, url },
  );
  if (answered.status >= 300 && answered.status < 400) throw redirectFailure(url, answered.location);
  assertFromPierhead(url, answered.status, answered.type);
  if (answered.status >= 400) throw problemFailure(answered.status, answered.body);
  return answered.body as Result;
}

async function send(service: Service, url: URL, body: Body | null, onProgress: OnProgress): Promise<Answered> {
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

/** Counts what the socket has taken, less what it still holds. */
async function stream(body: Body, request: ReturnType<typeof requestHttp>, onProgress: OnProgress): Promise<void> {
  const count = (): void => {
    const { socket } = request;
    if (socket !== null) onProgress(Math.min(Math.max(socket.bytesWritten - socket.writableLength, 0), body.size));
  };
  const file = createReadStream(body.path).on('data', count);
  try {
    await pipeline(file, request);
    onProgress(body.size);
  } catch (error) {
    request.destroy(error as Error);
    throw error;
  }
}
