import type { Response } from 'express';

/** A response whose other headers are known ahead. */
interface Prepared extends Response {
  headersAhead?: readonly string[];
}

/** Has an answer carry these headers, names and values in turn, if `sendJson` or `sendNothing` send it: at a fraction of the time of `setHeader`. */
export function prepareHeaders(response: Prepared, headers: readonly string[]): void {
  response.headersAhead = headers;
}

/** Sets the headers that were prepared, for an answer that is sent otherwise. */
export function setPreparedHeaders(response: Prepared): void {
  const headers = response.headersAhead ?? [];
  for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at] ?? '', headers[at + 1] ?? '');
}

/** Answers with a body as JSON, byte for byte as Express would, past what Express does beyond that. For hot routes. */
export function sendJson(response: Response, status: number, body: object): void {
  const text = JSON.stringify(body);
  write(response, status, [
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    String(Buffer.byteLength(text)),
  ]);
  response.end(text);
}

/** Answers with a status alone. For hot routes. */
export function sendNothing(response: Response, status: number): void {
  write(response, status, ['Content-Length', '0']);
  response.end();
}

function write(response: Prepared, status: number, own: readonly string[]): void {
  response.writeHead(status, [...(response.headersAhead ?? []), ...own]);
}
