import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Bearer, CurrentCaller, type Caller } from '../../common/access/index.js';
import {
  Conditional,
  IdParam,
  IfMatch,
  SendsEntityTags,
  type Precondition,
  Idempotent,
} from '../../common/http/index.js';
import { pageOf, PageQuery, type Page } from '../../common/fields/index.js';
import { InvalidRequest, NothingToUpdate, RateLimited, Throws } from '../../common/problems/index.js';
import { NotificationDelivery } from '../deliveries/index.js';
import {
  CreateNotificationEndpoint,
  NotificationEndpoint,
  NotificationEndpointWithSecret,
  TestNotificationEndpoint,
  UpdateNotificationEndpoint,
} from './endpoints.dto.js';
import {
  EndpointDisabled,
  EndpointHasNoSecret,
  EndpointLimitReached,
  EndpointNotFound,
  EndpointUnconfirmed,
} from '../endpoints.problems.js';
import { EndpointsService } from './endpoints.service.js';
import { NotificationsService } from '../notifications.service.js';

/** Webhooks and e-mail addresses that receive the tenant's notifications. */
@ApiTags('notifications')
@SendsEntityTags()
@Controller('notifications/endpoints')
export class EndpointsController {
  constructor(
    private readonly endpoints: EndpointsService,
    private readonly notifications: NotificationsService,
  ) {}

  @ApiOperation({
    summary:
      'Adds a webhook or an e-mail address. The response contains the secret of a webhook; an address receives a confirmation link.',
  })
  @Post()
  @Idempotent()
  @Bearer('extensions:write', 'tenant')
  @Throws(InvalidRequest, EndpointLimitReached, RateLimited)
  @ApiBody({
    type: CreateNotificationEndpoint,
    examples: {
      webhook: { value: { kind: 'webhook', url: 'https://hooks.example.com/pierhead', events: ['live', 'rejected'] } },
    },
  })
  @ApiCreatedResponse({ type: NotificationEndpointWithSecret })
  create(
    @CurrentCaller() caller: Caller,
    @Body() input: CreateNotificationEndpoint,
  ): Promise<NotificationEndpointWithSecret> {
    return this.endpoints.create(caller, input);
  }

  @ApiOperation({ summary: "Lists the tenant's endpoints, newest first." })
  @Get()
  @Bearer('extensions:read', 'tenant')
  @ApiOkResponse({ type: pageOf(NotificationEndpoint) })
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<Page<NotificationEndpoint>> {
    return this.endpoints.list(caller, query);
  }

  @ApiOperation({ summary: 'Retrieves one endpoint.' })
  @Get(':id')
  @Bearer('extensions:read', 'tenant')
  @Throws(EndpointNotFound)
  @ApiOkResponse({ type: NotificationEndpoint })
  get(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<NotificationEndpoint> {
    return this.endpoints.get(caller, id);
  }

  @ApiOperation({
    summary: 'Updates an endpoint: its URL or address, its events and filters, or whether it is enabled.',
  })
  @Patch(':id')
  @Conditional()
  @Bearer('extensions:write', 'tenant')
  @Throws(EndpointNotFound, NothingToUpdate, RateLimited)
  @ApiBody({
    type: UpdateNotificationEndpoint,
    examples: { events: { value: { events: ['live', 'rejected'] } } },
  })
  @ApiOkResponse({ type: NotificationEndpoint })
  update(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @Body() input: UpdateNotificationEndpoint,
    @IfMatch() expected: Precondition,
  ): Promise<NotificationEndpoint> {
    return this.endpoints.update(caller, id, input, expected);
  }

  @ApiOperation({ summary: 'Deletes an endpoint and its deliveries. Pending deliveries are not sent.' })
  @Delete(':id')
  @HttpCode(204)
  @Conditional()
  @Bearer('extensions:write', 'tenant')
  @Throws(EndpointNotFound)
  @ApiNoContentResponse()
  delete(@CurrentCaller() caller: Caller, @IdParam() id: string, @IfMatch() expected: Precondition): Promise<void> {
    return this.endpoints.delete(caller.tenantId, id, expected);
  }

  @ApiOperation({
    summary: 'Replaces the secret of a webhook and returns the new one. The former secret also signs for another day.',
  })
  @Post(':id/rotate')
  @HttpCode(200)
  @Bearer('extensions:write', 'tenant')
  @Throws(EndpointNotFound, EndpointHasNoSecret)
  @ApiOkResponse({ type: NotificationEndpointWithSecret })
  rotate(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<NotificationEndpointWithSecret> {
    return this.endpoints.rotate(caller.tenantId, id);
  }

  @ApiOperation({ summary: 'Sends a test to an endpoint, whichever events it subscribes to.' })
  @Post(':id/test')
  @Bearer('extensions:write', 'tenant')
  @Throws(EndpointNotFound, EndpointDisabled, EndpointUnconfirmed, RateLimited)
  @ApiBody({ type: TestNotificationEndpoint, required: false })
  @ApiCreatedResponse({ type: NotificationDelivery })
  test(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @Body() { kind = 'test' }: TestNotificationEndpoint,
  ): Promise<NotificationDelivery> {
    return this.notifications.sendTest(caller.tenantId, id, kind);
  }
}
