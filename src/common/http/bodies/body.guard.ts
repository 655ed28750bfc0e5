import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import express, { type Request, type Response } from 'express';
import { accessOf } from '../../access/index.js';
import { UnsupportedMediaType } from '../../problems/index.js';
import { bodyOf, type BodyKind } from './body-kind.js';
import { hasBody, readBody, requireUtf8, type BodyReader } from './read-body.js';

/** Largest JSON body of an authenticated caller, and of any other. */
const LIMIT_BYTES = 256 * 1024;
const PUBLIC_LIMIT_BYTES = 16 * 1024;
const FORM_LIMIT_BYTES = 8 * 1024;

interface TypedReader extends BodyReader {
  readonly types: RegExp;
}

type Readers = Readonly<Record<Exclude<BodyKind, 'own'>, TypedReader>>;

function readersUpTo(limitBytes: number, verify?: typeof requireUtf8): Readers {
  // The guard compares content types, since Express's parsers skip bodies of other types.
  const ofAnyType = { limit: limitBytes, type: () => true, ...(verify === undefined ? {} : { verify }) };
  return {
    json: {
      types: /^application\/(json|[\w.-]+\+json)\s*(;|$)/i,
      expected: 'a JSON body as application/json in UTF-8, uncompressed or as gzip, deflate or br',
      limitBytes,
      parser: express.json({ ...ofAnyType, strict: false }),
    },
    'json-or-text': {
      types: /^(application\/(json|[\w.-]+\+json)|text\/plain)\s*(;|$)/i,
      expected: 'a JSON body as application/json or text/plain, in UTF-8 and uncompressed',
      limitBytes,
      parser: express.json({ ...ofAnyType, strict: false, inflate: false }),
    },
    form: {
      types: /^application\/x-www-form-urlencoded\s*(;|$)/i,
      expected: 'a form as application/x-www-form-urlencoded',
      limitBytes: FORM_LIMIT_BYTES,
      parser: express.urlencoded({ ...ofAnyType, limit: FORM_LIMIT_BYTES, extended: false, parameterLimit: 20 }),
    },
  };
}

const READERS = readersUpTo(LIMIT_BYTES, requireUtf8);
// Installed extensions cannot be changed, so public routes keep accepting what they have always accepted.
const PUBLIC_READERS = readersUpTo(PUBLIC_LIMIT_BYTES);

/**
 * Reads the body in the way that the route declares, and admits the request if that succeeds. Runs after the guards that need no body, so that
 * the body of a refused caller is never read. A guard, since an interceptor at every route costs as much as the rest of Nest.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const handler = context.getHandler();
    const kind = bodyOf(this.reflector, handler);
    if (kind === 'own' || request.method === 'GET' || (kind !== 'form' && !hasBody(request))) return true;
    const readers = accessOf(this.reflector, handler)?.kind === 'public' ? PUBLIC_READERS : READERS;
    const reader = readers[kind];
    if (!reader.types.test(request.headers['content-type'] ?? '')) throw new UnsupportedMediaType(reader.expected);
    return readBody(reader, request, http.getResponse<Response>()).then(() => true);
  }
}
