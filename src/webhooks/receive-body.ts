import express, { type Request, type Response } from 'express';
import { hasBody, readBody, type BodyReader } from '../common/http/index.js';

/** The largest notification that is read, in bytes. */
const WEBHOOK_LIMIT_BYTES = 1024 * 1024;

const READER: BodyReader = {
  limitBytes: WEBHOOK_LIMIT_BYTES,
  expected: 'the bytes that were signed, without a Content-Encoding',
  parser: express.raw({ limit: WEBHOOK_LIMIT_BYTES, type: () => true, inflate: false }),
};

/**
 * Reads a request's bytes as they came: a signature is over these, and over no other way to write the same JSON.
 * @throws UnsupportedMediaType, PayloadTooLarge, InvalidRequest
 */
export async function receiveBody(request: Request, response: Response): Promise<Buffer> {
  if (!hasBody(request)) return Buffer.alloc(0);
  await readBody(READER, request, response);
  return request.body as Buffer;
}
