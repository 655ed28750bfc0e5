import type { Readable } from 'node:stream';
import { createParamDecorator, type ExecutionContext, type Type } from '@nestjs/common';
import { getSchemaPath, type ApiOperationOptions } from '@nestjs/swagger';
import type { Request } from 'express';
import { hasBody } from '../../common/http/index.js';

/** An upload of a client: the bytes, and their description in the request. */
export interface Upload {
  readonly body: Readable;
  /** With its parameters, such as the boundary of a form. */
  readonly contentType: string;
  readonly contentEncoding: string;
  /** In bytes; null when the request does not say it. */
  readonly contentLength: number | null;
}

/** The media types that a body may have. A form is always accepted. */
export interface Acceptable {
  readonly types: ReadonlySet<string>;
  /** Names what is uploaded, for error messages. */
  readonly what: string;
}

export const PACKAGE: Acceptable = {
  types: new Set(['application/zip', 'application/x-chrome-extension', 'application/octet-stream']),
  what: 'the package',
};

export const SOURCES: Acceptable = {
  types: new Set([
    'application/zip',
    'application/gzip',
    'application/x-gzip',
    'application/x-bzip2',
    'application/octet-stream',
  ]),
  what: 'the archive (.zip, .tar.gz, .tgz or .tar.bz2)',
};

/** The schema of a file. */
export const FILE = { type: 'string', format: 'binary' } as const;

/**
 * Describes a form that has the file, or a body that is it; `@ApiBody` knows one schema for all media types. The form is first, since generators
 * of clients write the first and send a form whenever there is one.
 */
export const uploadBody = (
  { types }: Acceptable,
  form: Type,
  required: boolean,
): NonNullable<ApiOperationOptions['requestBody']> => ({
  required,
  content: {
    'multipart/form-data': { schema: { $ref: getSchemaPath(form) } },
    ...Object.fromEntries([...types].map((type) => [type, { schema: FILE }])),
  },
});

/** Returns the request's upload; null when it has no body. */
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
