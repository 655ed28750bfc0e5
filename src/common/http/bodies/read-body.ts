import { isUtf8 } from 'node:buffer';
import type { Request, RequestHandler, Response } from 'express';
import { invalidBody, PayloadTooLarge, UnsupportedMediaType } from '../../problems/index.js';

/** Bodies other than packages must arrive within this time. The timeout of a whole request is longer, for large packages on slow lines. */
const BODY_TIME_MS = 30_000;

/** Options for reading a body. */
export interface BodyReader {
  /** A parser of Express with the same limit, for any content type. */
  readonly parser: RequestHandler;
  readonly limitBytes: number;
  /** Describes the accepted body, for the refusal of others. */
  readonly expected: string;
}

/** A parser's `verify`: refuses bytes that are not the declared UTF-8, which the parser would replace by U+FFFD. @throws Error */
export function requireUtf8(_request: unknown, _response: unknown, bytes: Buffer, encoding: string): void {
  if (encoding === 'utf-8' && !isUtf8(bytes)) throw new Error('The body is not valid UTF-8.');
}

/** Whether a request has a body. */
export const hasBody = ({ headers }: Pick<Request, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Reads a body within its limit and half a minute. A larger body is refused as soon as its size is known; the parsers would read it to the
 * end first.
 */
export async function readBody(
  { parser, limitBytes, expected }: BodyReader,
  request: Request,
  response: Response,
): Promise<void> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw new PayloadTooLarge(limitBytes);
  let late: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      late = setTimeout(() => reject(invalidBody('The body took too long to arrive.')), BODY_TIME_MS);
      refuseBeyond(limitBytes, request, reject);
      parser(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
    });
  } catch (error) {
    throw translated(error, limitBytes, expected);
  } finally {
    clearTimeout(late);
  }
  // When the connection has closed meanwhile, the parsers read nothing and report nothing.
  if (request.body === undefined) throw invalidBody('The body was cut short.');
}

/** Counts the bytes of a body of unknown length while it arrives. */
function refuseBeyond(limitBytes: number, request: Request, refuse: (problem: Error) => void): void {
  if (request.headers['content-length'] !== undefined) return;
  let bytes = 0;
  request.on('data', ({ length }: Buffer) => {
    bytes += length;
    if (bytes > limitBytes) refuse(new PayloadTooLarge(limitBytes));
  });
}

/** Translates errors of body-parser to problems. */
function translated(error: unknown, limitBytes: number, expected: string): unknown {
  const { type, status } = error as { readonly type?: unknown; readonly status?: unknown };
  switch (type) {
    case 'entity.too.large':
      return new PayloadTooLarge(limitBytes);
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new UnsupportedMediaType(expected);
    case 'entity.parse.failed':
      return invalidBody('The body is not well-formed JSON.');
    case 'entity.verify.failed':
      return invalidBody('The body is not valid UTF-8.');
    case 'request.aborted':
      return invalidBody('The body was cut short.');
    default:
      return typeof status === 'number' && status < 500 ? invalidBody('The body cannot be read.') : error;
  }
}
