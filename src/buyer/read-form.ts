import express, { type Request, type Response } from 'express';
import { InvalidRequest, PayloadTooLarge, UnsupportedMediaType } from '../common/problems/index.js';

const FORM_LIMIT_BYTES = 8 * 1024;
const parse = express.urlencoded({ extended: false, limit: FORM_LIMIT_BYTES, parameterLimit: 20 });

/** Reads what a form sent. A field that is missing, or there twice, is empty. @throws UnsupportedMediaType, PayloadTooLarge, InvalidRequest */
export async function readForm(request: Request, response: Response): Promise<(name: string) => string> {
  if (request.is('application/x-www-form-urlencoded') === false)
    throw new UnsupportedMediaType('a form as application/x-www-form-urlencoded');
  await new Promise<void>((resolve, reject) => {
    parse(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(translated(error))));
  });
  const fields = new Map(Object.entries((request.body ?? {}) as Readonly<Record<string, unknown>>));
  return (name) => {
    const value = fields.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
}

function translated(error: unknown): Error {
  const { type } = error as { readonly type?: unknown };
  if (type === 'entity.too.large') return new PayloadTooLarge(FORM_LIMIT_BYTES);
  return new InvalidRequest([{ field: '', message: 'The form cannot be read.' }]);
}
