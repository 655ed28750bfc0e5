import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Signature } from '../common/access/index.js';
import { ReadsOwnBody } from '../common/http/index.js';
import {
  InvalidRequest,
  PayloadTooLarge,
  RateLimited,
  Throws,
  UnsupportedMediaType,
} from '../common/problems/index.js';
import { NotificationIntake } from './inbox/notification-intake.service.js';
import { SignatureGuard, SignedNotification, type VerifiedNotification } from './signature.guard.js';
import { NotificationOutcome } from './webhooks.dto.js';
import { BadSignature, UnknownTenantOrNoCredential } from './webhooks.problems.js';

const NOTIFICATION = {
  required: true,
  schema: {
    type: 'object',
    example: { id: 'evt_1', type: 'checkout.session.completed', created: 1795339800 },
    additionalProperties: true,
  },
} as const;

@ApiTags('payment webhooks')
@Controller('licensing/webhooks')
export class WebhooksController {
  constructor(private readonly intake: NotificationIntake) {}

  @ApiOperation({ summary: 'Receives a payment notification. The header of its signature determines the processor.' })
  @Post('payment/:tenantId')
  @HttpCode(200)
  @Signature(SignatureGuard)
  @ReadsOwnBody()
  @Throws(UnknownTenantOrNoCredential, BadSignature, PayloadTooLarge, UnsupportedMediaType, InvalidRequest, RateLimited)
  @ApiParam({ name: 'tenantId', type: String })
  @ApiBody(NOTIFICATION)
  @ApiOkResponse({ type: NotificationOutcome })
  receive(@SignedNotification() notification: VerifiedNotification): Promise<NotificationOutcome> {
    return this.intake.receive(notification);
  }

  @ApiOperation({ summary: 'Receives a payment notification of the processor that the path names.' })
  @Post(':processor/:tenantId')
  @HttpCode(200)
  @Signature(SignatureGuard)
  @ReadsOwnBody()
  @Throws(UnknownTenantOrNoCredential, BadSignature, PayloadTooLarge, UnsupportedMediaType, InvalidRequest, RateLimited)
  @ApiParam({ name: 'processor', type: String, example: 'stripe' })
  @ApiParam({ name: 'tenantId', type: String })
  @ApiBody(NOTIFICATION)
  @ApiOkResponse({ type: NotificationOutcome })
  receiveOf(@SignedNotification() notification: VerifiedNotification): Promise<NotificationOutcome> {
    return this.intake.receive(notification);
  }
}
