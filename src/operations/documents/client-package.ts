import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { pathOf } from '../../common/http/index.js';
import { NotFound } from '../../common/problems/index.js';

/** The folder in which `npm run build` packs the client. */
const FILE = new URL('../../../clients/cli/dist/pierhead.tgz', import.meta.url);

/** The package of the command line client, read into memory at start: a few hundred kilobytes. */
@Injectable()
export class ClientPackage {
  private readonly content = existsSync(FILE) ? readFileSync(FILE) : null;
  private readonly etag = `"${createHash('sha256')
    .update(this.content ?? '')
    .digest('base64url')}"`;

  /** Sends the package, which clients revalidate each time, so that they follow the service. @throws NotFound where it is not built */
  send(request: Request, response: Response): void {
    if (this.content === null) throw new NotFound(pathOf(request));
    response.set({ 'Cache-Control': 'no-cache', ETag: this.etag });
    if (request.fresh) response.status(304).end();
    else response.type('application/gzip').send(this.content);
  }
}
