import type { IncomingMessage } from 'node:http';
import { inTime } from '../common/http/index.js';
import { InvalidRequest, PayloadTooLarge, UnsupportedMediaType } from '../common/problems/index.js';

/** The largest notification that is read, in bytes. */
export const WEBHOOK_LIMIT_BYTES = 1024 * 1024;

/**
 * Reads a request's bytes as they came: a signature is over these, and over no other way to write the same JSON.
 * @throws UnsupportedMediaType for a compressed body, PayloadTooLarge as soon as it is known, InvalidRequest when the sender went away
 *   or took too long
 */
export async function receiveBody(request: IncomingMessage): Promise<Buffer> {
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new UnsupportedMediaType('the bytes that were signed, without a Content-Encoding');
  if (Number(request.headers['content-length'] ?? 0) > WEBHOOK_LIMIT_BYTES)
    throw new PayloadTooLarge(WEBHOOK_LIMIT_BYTES);
  return inTime(wholeOf(request));
}

async function wholeOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Destroying the request would cut the connection that the answer is to go out on.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > WEBHOOK_LIMIT_BYTES) throw new PayloadTooLarge(WEBHOOK_LIMIT_BYTES);
      chunks.push(chunk);
    }
  } catch (error) {
    if (request.errored === null) throw error;
    throw new InvalidRequest([{ field: '', message: 'The body ended before it was complete.' }]);
  }
  return Buffer.concat(chunks);
}
