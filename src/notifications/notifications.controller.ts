import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Bearer, CurrentCaller, type Caller } from '../common/access/index.js';
import { IdParam } from '../common/http/index.js';
import { pageOf, PageQuery, type Page } from '../common/fields/index.js';
import { RateLimited, Throws } from '../common/problems/index.js';
import { ReadsStandby } from '../common/database/index.js';
import { DeliveryAttemptList } from './deliveries/delivery-attempts.dto.js';
import { DeliveryAttemptsService } from './deliveries/delivery-attempts.service.js';
import { DeliveriesService } from './deliveries/deliveries.service.js';
import { NotificationDelivery, NotificationDeliveryQuery } from './deliveries/deliveries.dto.js';
import { DeliveryNotFound } from './deliveries/deliveries.problems.js';
import { EndpointDisabled, EndpointUnconfirmed } from './endpoints.problems.js';
import { Notification } from './notifications.dto.js';
import { NotificationsService } from './notifications.service.js';

/** Notifications of the tenant, and their deliveries. */
@ApiTags('notifications')
@Controller('notifications')
export class NotificationsController {
  constructor(
    private readonly notifications: NotificationsService,
    private readonly deliveries: DeliveriesService,
    private readonly attempts: DeliveryAttemptsService,
  ) {}

  @ApiOperation({
    summary:
      "Lists the tenant's notifications of the last 90 days, newest first, including those that no endpoint received.",
  })
  @Get()
  @Bearer('extensions:read', 'tenant')
  @ApiOkResponse({ type: pageOf(Notification) })
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<Page<Notification>> {
    return this.notifications.list(caller.tenantId, query);
  }

  @ApiOperation({ summary: 'Lists deliveries to endpoints, newest first.' })
  @Get('deliveries')
  @ReadsStandby()
  @Bearer('extensions:read', 'tenant')
  @ApiOkResponse({ type: pageOf(NotificationDelivery) })
  listDeliveries(
    @CurrentCaller() caller: Caller,
    @Query() query: NotificationDeliveryQuery,
  ): Promise<Page<NotificationDelivery>> {
    return this.deliveries.list(caller.tenantId, query);
  }

  @ApiOperation({ summary: 'Lists the last attempts of a delivery: what was sent, and what the receiver answered.' })
  @Get('deliveries/:id/attempts')
  @Bearer('extensions:read', 'tenant')
  @Throws(DeliveryNotFound)
  @ApiOkResponse({ type: DeliveryAttemptList })
  listAttempts(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<DeliveryAttemptList> {
    return this.attempts.list(caller, id);
  }

  @ApiOperation({
    summary: 'Replays a delivery immediately, under the same id, and repeats it for another day if it fails.',
  })
  @Post('deliveries/:id/redeliver')
  @HttpCode(200)
  @Bearer('extensions:write', 'tenant')
  @Throws(DeliveryNotFound, EndpointDisabled, EndpointUnconfirmed, RateLimited)
  @ApiOkResponse({ type: NotificationDelivery })
  redeliver(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<NotificationDelivery> {
    return this.deliveries.redeliver(caller, id);
  }
}
