import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentCaller, inPath, SessionOrBearer, type Caller } from '../../common/access/index.js';
import { IdParam } from '../../common/http/index.js';
import { Throws } from '../../common/problems/index.js';
import { ExtensionNotFound } from '../../registry/index.js';
import { FILE } from '../packages/index.js';
import { ICON_TYPES, IconsService, type Icon } from './icons.service.js';

/** Pictures of extensions. */
@ApiTags('extensions')
@Controller('extensions/:id/icon')
export class IconsController {
  constructor(private readonly icons: IconsService) {}

  /** Takes the cookie of a session too, which is what a browser sends for the picture of a page. */
  @ApiOperation({
    summary: 'Shows the icon of an extension.',
    description:
      'The icon of the newest package that has one, of at most 64 kB: the smallest of at least 64 pixels. An extension without one has an SVG of its initials.',
  })
  @Get()
  @SessionOrBearer('extensions:read', { subject: inPath('id') })
  @Throws(ExtensionNotFound)
  @ApiProduces(...Object.values(ICON_TYPES))
  @ApiOkResponse({ schema: FILE })
  async show(@CurrentCaller() caller: Caller, @IdParam() id: string, @Res() response: Response): Promise<void> {
    send(response, await this.icons.get(caller.tenantId, id));
  }
}

/** An SVG is somebody's document: opened by itself, it runs nothing and loads nothing. Express answers 304 where the tag is known. */
function send(response: Response, { bytes, type, etag }: Icon): void {
  response.set({
    ETag: etag,
    'Cache-Control': 'private, max-age=300, stale-while-revalidate=86400',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  });
  response.type(type).send(bytes);
}
