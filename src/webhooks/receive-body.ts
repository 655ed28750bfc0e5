import express, { type Request, type Response } from 'express';
import { hasBody, readBody, type BodyReader } from '../common/http/index.js';

/** The largest notification, in bytes. */
const WEBHOOK_LIMIT_BYTES = 1024 * 1024;

const READER: BodyReader = {
  limitBytes: WEBHOOK_LIMIT_BYTES,
  expected: 'the signed bytes, without a Content-Encoding',
  parser: express.raw({ limit: WEBHOOK_LIMIT_BYTES, type: () => true, inflate: false }),
};

/** Reads a request's bytes as received: the signature covers these, and no other serialization of the same JSON. */
export async function receiveBody(request: Request, response: Response): Promise<Buffer> {
  if (!hasBody(request)) return Buffer.alloc(0);
  await readBody(READER, request, response);
  return request.body as Buffer;
}
