import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { invalidBody, PayloadTooLarge, Problem, UnsupportedMediaType } from '../../problems/index.js';
import { hasBody } from './read-body.js';

/** Reads the bytes of a body as they arrive, up to a limit. @throws Problem */
export type CsvUpload = (limitBytes: number) => AsyncGenerator<Uint8Array>;

/** Injects what streams a CSV body, on a route that reads its own body: after it has found what the body is for. */
export const UploadedCsv = createParamDecorator((_: unknown, context: ExecutionContext): CsvUpload => {
  const request = context.switchToHttp().getRequest<Request>();
  return (limitBytes) => bytesOf(request, limitBytes);
});

async function* bytesOf(request: Request, limitBytes: number): AsyncGenerator<Uint8Array> {
  const { headers } = request;
  if (!/^text\/csv\s*(;|$)/i.test(headers['content-type'] ?? '') || headers['content-encoding'] !== undefined)
    throw new UnsupportedMediaType('CSV as text/csv, in UTF-8 and uncompressed');
  if (!hasBody(request)) return;
  if (Number(headers['content-length'] ?? 0) > limitBytes) throw new PayloadTooLarge(limitBytes);
  let size = 0;
  try {
    // Not destroyed when reading stops: that would cut the connection that the answer goes out on.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limitBytes) throw new PayloadTooLarge(limitBytes);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof Problem || request.errored === null ? error : invalidBody('The body was cut short.');
  } finally {
    // The rest of a refused body flows off, so that the connection serves the next request.
    request.resume();
  }
}
