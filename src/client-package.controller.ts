import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController, ApiOperation } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from './common/access/index.js';
import { OutsideApi } from './common/http/index.js';
import { NotFound } from './common/problems/index.js';

/** The path of the package, without the leading slash. */
export const CLIENT_PACKAGE_PATH = 'cli/pierhead.tgz';

/** Where `npm run build` packs the client. */
const FILE = new URL('../clients/cli/dist/pierhead.tgz', import.meta.url);

/** The command line client of this version, for `npm install -g` and `npx`. */
@ApiExcludeController()
@OutsideApi()
@Controller(CLIENT_PACKAGE_PATH)
export class ClientPackageController {
  private readonly content = existsSync(FILE) ? readFileSync(FILE) : null;
  private readonly etag = `"${createHash('sha256')
    .update(this.content ?? '')
    .digest('base64url')}"`;

  /** @throws NotFound where `npm run build` has not packed it */
  @ApiOperation({ summary: 'Serves the command line client as npm packs it.' })
  @Get()
  @Public('the same file for everybody; it contains no data')
  show(@Req() request: Request, @Res() response: Response): void {
    if (this.content === null) throw new NotFound(`/${CLIENT_PACKAGE_PATH}`);
    // Checked again each time, so that a client follows the service that it came from.
    response.set({ 'Cache-Control': 'no-cache', ETag: this.etag });
    if (request.fresh) response.status(304).end();
    else response.type('application/gzip').send(this.content);
  }
}
