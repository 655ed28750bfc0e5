import type { Readable } from 'node:stream';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { hasBody } from '../../common/http/index.js';

/** What a client uploads: the bytes, and what the request says of them. */
export interface Upload {
  readonly body: Readable;
  /** With its parameters, such as the boundary of a form. */
  readonly contentType: string;
  readonly contentEncoding: string;
  /** In bytes; null when the request does not say it. */
  readonly contentLength: number | null;
}

/** What the request uploads; null when it has no body. */
export const Uploaded = createParamDecorator((_data: unknown, context: ExecutionContext): Upload | null => {
  const request = context.switchToHttp().getRequest<Request>();
  const { headers } = request;
  if (!hasBody(request)) return null;
  return {
    body: request,
    contentType: headers['content-type'] ?? '',
    contentEncoding: headers['content-encoding'] ?? 'identity',
    contentLength: headers['content-length'] === undefined ? null : Number(headers['content-length']),
  };
});
