import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Bearer, CurrentCaller, type Caller } from '../common/access/index.js';
import { IdParam } from '../common/http/index.js';
import { pageOf, PageQuery, type Page } from '../common/fields/index.js';
import { RateLimited, Throws } from '../common/problems/index.js';
import { DeliveriesService } from './deliveries.service.js';
import { Notification, NotificationDelivery, NotificationDeliveryQuery } from './notifications.dto.js';
import { DeliveryNotFound, EndpointDisabled, EndpointUnconfirmed } from './notifications.problems.js';
import { Notifier } from './notifier.service.js';

@ApiTags('notifications')
@Controller('notifications')
export class NotificationsController {
  constructor(
    private readonly notifier: Notifier,
    private readonly deliveries: DeliveriesService,
  ) {}

  @ApiOperation({
    summary: 'Lists what the tenant was told in the last 90 days, newest first, whether or not an endpoint heard it.',
  })
  @Get()
  @Bearer('extensions:read')
  @ApiOkResponse({ type: pageOf(Notification) })
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<Page<Notification>> {
    return this.notifier.list(caller.tenantId, query);
  }

  @ApiOperation({ summary: 'Lists what is or was on its way to the endpoints, newest first.' })
  @Get('deliveries')
  @Bearer('extensions:read')
  @ApiOkResponse({ type: pageOf(NotificationDelivery) })
  listDeliveries(
    @CurrentCaller() caller: Caller,
    @Query() query: NotificationDeliveryQuery,
  ): Promise<Page<NotificationDelivery>> {
    return this.deliveries.list(caller.tenantId, query);
  }

  @ApiOperation({ summary: 'Delivers once more, at once, and retries for another day; under the same id.' })
  @Post('deliveries/:id/redeliver')
  @HttpCode(200)
  @Bearer('extensions:write')
  @Throws(DeliveryNotFound, EndpointDisabled, EndpointUnconfirmed, RateLimited)
  @ApiOkResponse({ type: NotificationDelivery })
  redeliver(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<NotificationDelivery> {
    return this.deliveries.redeliver(caller.tenantId, id);
  }
}
