import { createParamDecorator, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import express, { type Request, type Response } from 'express';
import { addressKey, RateLimits, type LockoutLimit } from '../../common/access/index.js';
import { Config } from '../../common/config/index.js';
import { uuidOrNil } from '../../common/fields/index.js';
import { hasBody, readBody, type BodyReader } from '../../common/http/index.js';
import { MINUTE_SECONDS } from '../../common/system/index.js';
import { AnnouncementNotSigned } from './announcements.problems.js';
import { AnnouncementsService, type Announcement } from './announcements.service.js';

/** Far more than a store announces. */
const LIMIT_BYTES = 64 * 1024;

const READER: BodyReader = {
  limitBytes: LIMIT_BYTES,
  expected: 'the signed bytes, without a Content-Encoding',
  parser: express.raw({ limit: LIMIT_BYTES, type: () => true, inflate: false }),
};

interface GuardedRequest extends Request {
  announcement?: Announcement;
}

/** Injects the announcement that the `AnnouncementGuard` has verified. */
export const SignedAnnouncementOf = createParamDecorator((_: unknown, context: ExecutionContext): Announcement => {
  const { announcement } = context.switchToHttp().getRequest<GuardedRequest>();
  if (announcement === undefined) throw new Error('Only a route behind the AnnouncementGuard has an announcement');
  return announcement;
});

/** Admits what the store of a target has signed. */
@Injectable()
export class AnnouncementGuard implements CanActivate {
  constructor(
    private readonly config: Config,
    private readonly limits: RateLimits,
    private readonly announcements: AnnouncementsService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<GuardedRequest>();
    const targetId = uuidOrNil(request.params['targetId']);
    const sender = `${addressKey(request.ip ?? '')} ${targetId}`;
    await this.limits.admit(this.badSignatures, sender);
    if (hasBody(request)) await readBody(READER, request, http.getResponse<Response>());
    const body = hasBody(request) ? (request.body as Buffer) : Buffer.alloc(0);
    const announcement = await this.announcements.verify(targetId, { headers: request.headersDistinct, body });
    if (announcement === null) {
      await this.limits.penalize(this.badSignatures, sender);
      throw new AnnouncementNotSigned();
    }
    request.announcement = announcement;
    return true;
  }

  private get badSignatures(): LockoutLimit {
    return {
      name: 'bad-announcements',
      points: this.config.rateLimitBadSignatures,
      withinSeconds: MINUTE_SECONDS,
      lockoutSeconds: MINUTE_SECONDS,
    };
  }
}
