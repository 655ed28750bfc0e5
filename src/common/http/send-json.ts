import type { Response } from 'express';

/** Answers 200 with a body as JSON, byte for byte as Express would, past what Express does beyond that. For hot routes. */
export function sendJson(response: Response, body: object): void {
  const text = JSON.stringify(body);
  response
    .writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(text) })
    .end(text);
}
