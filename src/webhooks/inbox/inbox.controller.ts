import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Bearer, CurrentCaller, type Caller } from '../../common/access/index.js';
import { IdParam } from '../../common/http/index.js';
import { pageOf, type Page } from '../../common/fields/index.js';
import { Throws } from '../../common/problems/index.js';
import { PlanNotFound } from '../../licensing/index.js';
import { ReadsStandby } from '../../common/database/index.js';
import { InboxService } from './inbox.service.js';
import { WebhookSummaryService } from './webhook-summary.service.js';
import { InboxItem, ListInbox, NotificationOutcome, ReplayInbox, ReplayWish, WebhookSummary } from '../webhooks.dto.js';
import { InboxItemNotFound, NoUnlistedProduct } from '../webhooks.problems.js';

@ApiTags('payment webhooks')
@Controller('webhooks')
export class InboxController {
  constructor(
    private readonly inbox: InboxService,
    private readonly summary: WebhookSummaryService,
  ) {}

  @ApiOperation({
    summary: 'Lists payment notifications, newest first, optionally those of one processor, status or time.',
  })
  @Get('inbox')
  @ReadsStandby()
  @Bearer('licenses:read', 'tenant')
  @ApiOkResponse({ type: pageOf(InboxItem) })
  list(@CurrentCaller() caller: Caller, @Query() query: ListInbox): Promise<Page<InboxItem>> {
    return this.inbox.list(caller.tenantId, query);
  }

  @ApiOperation({
    summary: 'Retrieves the webhook URL, and for each processor the events to enable and the last notification.',
  })
  @Get('processors')
  @ReadsStandby()
  @Bearer('licenses:read', 'tenant')
  @ApiOkResponse({ type: WebhookSummary })
  summarize(@CurrentCaller() caller: Caller): Promise<WebhookSummary> {
    return this.summary.summarize(caller.tenantId);
  }

  @ApiOperation({
    summary: 'Handles a page of the notifications that made no license again, newest first.',
  })
  @Post('inbox/replay')
  @HttpCode(200)
  @Bearer('licenses:write', 'tenant')
  @Throws(PlanNotFound)
  @ApiOkResponse({ type: pageOf(InboxItem) })
  replayAll(@CurrentCaller() caller: Caller, @Body() wish: ReplayInbox): Promise<Page<InboxItem>> {
    return this.inbox.replayAll(caller.tenantId, wish);
  }

  @ApiOperation({
    summary:
      'Marks the products of a notification that no plan lists as unrelated to your extensions: no later sale of them asks for anything. Those of before do not either once they are replayed.',
  })
  @Post('inbox/:id/unrelated')
  @HttpCode(200)
  @Bearer('licenses:write', 'tenant')
  @Throws(InboxItemNotFound, NoUnlistedProduct)
  @ApiOkResponse({ type: NotificationOutcome })
  markUnrelated(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<NotificationOutcome> {
    return this.inbox.markUnrelated(caller.tenantId, id);
  }

  @ApiOperation({
    summary:
      'Replays a notification, for example after you added its product to a plan, or to issue a license that it did not.',
  })
  @Post('inbox/:id/replay')
  @HttpCode(200)
  @Bearer('licenses:write', 'tenant')
  @Throws(InboxItemNotFound, PlanNotFound)
  @ApiOkResponse({ type: NotificationOutcome })
  replay(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @Body() wish: ReplayWish,
  ): Promise<NotificationOutcome> {
    return this.inbox.replay(caller.tenantId, id, wish);
  }
}
