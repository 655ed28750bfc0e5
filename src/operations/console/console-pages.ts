import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { prefersHtml, markup, page, pathOf, RouteTable } from '../../common/http/index.js';
import { NotFound } from '../../common/problems/index.js';
import { ConsoleFiles, type ConsoleFile, type Encoding } from './console-files.js';

/** Lets the console load its own files and ask this service, and nothing else: no inline script or style, no other origin. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** First segments of paths for programs: an unknown path below one is an error, not a page of the console. */
const FOR_PROGRAMS = new Set(['api', 'assets', 'buyer', 'cli', 'clients', 'gift', 'health', 'metrics', 'schemas']);

const NOT_BUILT = page(
  'Pierhead',
  markup`<p>The console is not built. Run <code>npm run build</code> and start the service again.</p>
    <p><a href="/api/docs">API reference</a></p>`,
);

/** Sends the console to browsers. */
@Injectable()
export class ConsolePages {
  constructor(
    private readonly files: ConsoleFiles,
    private readonly routes: RouteTable,
  ) {}

  /** Whether a request opens a path that the console's router handles. */
  isOpenedBy(request: Request): boolean {
    const path = pathOf(request);
    const [, first = ''] = path.toLowerCase().split('/');
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    return isRead && prefersHtml(request) && !FOR_PROGRAMS.has(first) && this.routes.at(path).length === 0;
  }

  /** Sends the page of the console, which browsers revalidate each time. */
  sendPage(request: Request, response: Response): void {
    response.set({
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'Referrer-Policy': 'same-origin',
    });
    if (this.files.page === null) response.status(503).type('html').send(NOT_BUILT);
    else send(this.files.page, request, response);
  }

  /** Sends a file whose name changes with its content, which browsers keep for a year. */
  sendAsset(name: string, request: Request, response: Response): void {
    const file = this.files.findAsset(name);
    if (file === null) throw new NotFound(pathOf(request).slice(0, 200));
    response.set('Cache-Control', 'public, max-age=31536000, immutable');
    send(file, request, response);
  }
}

/** Sends a file in the smallest encoding that the browser accepts, or 304 when the browser has it. */
function send({ type, etag, body, encoded }: ConsoleFile, request: Request, response: Response): void {
  const offered = Object.keys(encoded) as Encoding[];
  // Asked about several at once, Express answers by the browser's order, in which gzip is first.
  const encoding = offered.find((one) => request.acceptsEncodings(one) === one);
  response.set({ ETag: encoding === undefined ? etag : `${etag.slice(0, -1)}-${encoding}"`, Vary: 'Accept-Encoding' });
  if (request.fresh) return void response.status(304).end();
  if (encoding !== undefined) response.set('Content-Encoding', encoding);
  response.type(type).send(encoding === undefined ? body : encoded[encoding]);
}
