import { Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Signature } from '../common/access/index.js';
import { IdParam, ReadsOwnBody } from '../common/http/index.js';
import { InvalidRequest, PayloadTooLarge, Throws, UnsupportedMediaType } from '../common/problems/index.js';
import { InboxService } from './inbox.service.js';
import { receiveBody } from './receive-body.js';
import { Outcome } from './webhooks.dto.js';
import { BadSignature, UnknownTenantOrNoCredential } from './webhooks.problems.js';

const NOTIFICATION = { required: true, schema: { type: 'object', additionalProperties: true } } as const;

@ApiTags('payment webhooks')
@Controller('licensing/webhooks')
export class WebhooksController {
  constructor(private readonly inbox: InboxService) {}

  @ApiOperation({ summary: 'Takes a payment notification; the header of its signature says which processor sent it.' })
  @Post('payment/:tenantId')
  @HttpCode(200)
  @Signature()
  @ReadsOwnBody()
  @Throws(UnknownTenantOrNoCredential, BadSignature, PayloadTooLarge, UnsupportedMediaType, InvalidRequest)
  @ApiBody(NOTIFICATION)
  @ApiOkResponse({ type: Outcome })
  async receive(@IdParam('tenantId') tenantId: string, @Req() request: Request): Promise<Outcome> {
    return this.inbox.receive(tenantId, 'payment', {
      headers: request.headersDistinct,
      body: await receiveBody(request),
    });
  }

  @ApiOperation({ summary: 'The same for one processor: stripe, paddle, lemonsqueezy or polar.' })
  @Post(':processor/:tenantId')
  @HttpCode(200)
  @Signature()
  @ReadsOwnBody()
  @Throws(UnknownTenantOrNoCredential, BadSignature, PayloadTooLarge, UnsupportedMediaType, InvalidRequest)
  @ApiBody(NOTIFICATION)
  @ApiOkResponse({ type: Outcome })
  async receiveOf(
    @Param('processor') processor: string,
    @IdParam('tenantId') tenantId: string,
    @Req() request: Request,
  ): Promise<Outcome> {
    return this.inbox.receive(tenantId, processor, {
      headers: request.headersDistinct,
      body: await receiveBody(request),
    });
  }
}
