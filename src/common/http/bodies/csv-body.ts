import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import express, { type Request, type Response } from 'express';
import { invalidBody, UnsupportedMediaType } from '../../problems/index.js';
import { readCsv, type CsvRow } from './read-csv.js';
import { hasBody, readBody, requireUtf8, type BodyReader } from './read-body.js';

const LIMIT_BYTES = 1024 * 1024;
const READER: BodyReader = {
  limitBytes: LIMIT_BYTES,
  expected: 'CSV as text/csv, in UTF-8',
  parser: express.text({ limit: LIMIT_BYTES, type: () => true, defaultCharset: 'utf-8', verify: requireUtf8 }),
};

/** Reads the rows of the body. */
export type ReadCsvBody = () => Promise<readonly CsvRow[]>;

/** Injects what reads a CSV body of up to 1 MiB, on a route that reads its own body: after it has found what the body is for. */
export const CsvBody = createParamDecorator((_: unknown, context: ExecutionContext): ReadCsvBody => {
  const http = context.switchToHttp();
  const request = http.getRequest<Request>();
  const response = http.getResponse<Response>();
  return async () => {
    if (!/^text\/csv\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
      throw new UnsupportedMediaType(READER.expected);
    if (!hasBody(request)) return [];
    await readBody(READER, request, response);
    const rows = await readCsv(request.body as string);
    if (typeof rows === 'string') throw invalidBody(`The body ${rows}.`);
    return rows;
  };
});
