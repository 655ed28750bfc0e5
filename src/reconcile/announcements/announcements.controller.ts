import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiNoContentResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Signature } from '../../common/access/index.js';
import { ReadsOwnBody } from '../../common/http/index.js';
import {
  InvalidRequest,
  PayloadTooLarge,
  RateLimited,
  Throws,
  UnsupportedMediaType,
} from '../../common/problems/index.js';
import { AnnouncementGuard, SignedAnnouncementOf } from './announcement.guard.js';
import { AnnouncementNotSigned } from './announcements.problems.js';
import { AnnouncementsService, type Announcement } from './announcements.service.js';

const BODY = {
  required: true,
  schema: {
    type: 'object',
    example: { data: { type: 'appStoreVersionAppVersionStateUpdated', id: '7c1f0d0e-9f0b-4c5c-8a53-7a1a8b1c2d3e' } },
    additionalProperties: true,
  },
} as const;

/** Announcements of stores. */
@ApiTags('stores')
@Controller('stores/announcements')
export class AnnouncementsController {
  constructor(private readonly announcements: AnnouncementsService) {}

  /** A hint: the target is checked at once, and the check alone tells what is so. */
  @ApiOperation({ summary: 'Receives the announcement of a store that something about an item has changed.' })
  @Post(':targetId')
  @HttpCode(204)
  @Signature(AnnouncementGuard)
  @ReadsOwnBody()
  @Throws(AnnouncementNotSigned, PayloadTooLarge, UnsupportedMediaType, InvalidRequest, RateLimited)
  @ApiParam({ name: 'targetId', type: String })
  @ApiBody(BODY)
  @ApiNoContentResponse()
  receive(@SignedAnnouncementOf() announcement: Announcement): Promise<void> {
    return this.announcements.receive(announcement);
  }
}
