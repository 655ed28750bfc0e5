import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Bearer, CurrentCaller, inQuery, type Caller } from '../../common/access/index.js';
import { ReadsStandby } from '../../common/database/index.js';
import { ListCount, pageOf, type Page } from '../../common/fields/index.js';
import { IdParam } from '../../common/http/index.js';
import { Throws } from '../../common/problems/index.js';
import { PlanNotFound, ProductTaken } from '../../licensing/index.js';
import { ExtensionNotFound } from '../../registry/index.js';
import { OrderNotFound, OrderSettled } from '../webhooks.problems.js';
import { AssignPlan, ListOrders, Order, OrderDetails, OrderSelection } from './orders.dto.js';
import { OrderPlansService } from './order-plans.service.js';
import { OrdersService } from './orders.service.js';

/** What buyers bought at the processors. */
@ApiTags('orders')
@Controller('orders')
export class OrdersController {
  constructor(
    private readonly orders: OrdersService,
    private readonly plans: OrderPlansService,
  ) {}

  @ApiOperation({
    summary: 'Lists orders, newest first: who paid how much for what, and the licenses that it made or continued.',
  })
  @Get()
  @ReadsStandby()
  @Bearer('licenses:read', inQuery('extension'))
  @Throws(ExtensionNotFound)
  @ApiOkResponse({ type: pageOf(Order) })
  list(@CurrentCaller() caller: Caller, @Query() query: ListOrders): Promise<Page<Order>> {
    return this.orders.list(caller.tenantId, query);
  }

  @ApiOperation({ summary: 'Counts orders by the filters of the list.' })
  @Get('count')
  @ReadsStandby()
  @Bearer('licenses:read', inQuery('extension'))
  @Throws(ExtensionNotFound)
  @ApiOkResponse({ type: ListCount })
  count(@CurrentCaller() caller: Caller, @Query() selection: OrderSelection): Promise<ListCount> {
    return this.orders.count(caller.tenantId, selection);
  }

  @ApiOperation({ summary: 'Retrieves an order with its events.' })
  @Get(':id')
  @ReadsStandby()
  @Bearer('licenses:read', 'tenant')
  @Throws(OrderNotFound)
  @ApiOkResponse({ type: OrderDetails })
  get(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<OrderDetails> {
    return this.orders.get(caller.tenantId, id);
  }

  @ApiOperation({
    summary: 'Gives an order the plan that it lacks, and issues its licenses, once however often it is called.',
  })
  @Post(':id/plan')
  @HttpCode(200)
  @Bearer('licenses:write', 'tenant')
  @Throws(OrderNotFound, PlanNotFound, OrderSettled, ProductTaken)
  @ApiOkResponse({ type: OrderDetails })
  assignPlan(@CurrentCaller() caller: Caller, @IdParam() id: string, @Body() plan: AssignPlan): Promise<OrderDetails> {
    return this.plans.assign(caller.tenantId, id, plan);
  }
}
