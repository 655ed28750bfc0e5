import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Put, Query } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Bearer, CurrentCaller, inBody, inPath, inQuery, type Caller } from '../../common/access/index.js';
import {
  Conditional,
  IdParam,
  IfMatch,
  ListPipe,
  SendsEntityTags,
  type Precondition,
  Idempotent,
} from '../../common/http/index.js';
import { pageOf, type Page } from '../../common/fields/index.js';
import { Throws } from '../../common/problems/index.js';
import { ExtensionNotFound, LicensesIssued } from '../../registry/index.js';
import {
  LicensePlanLimitReached,
  PlanNotFound,
  ProductTaken,
  TierExists,
  TrialOffered,
} from '../licensing.problems.js';
import { CreatePlan, ListPlans, MAX_PRODUCTS, Plan, PlanProduct, UpdatePlan } from './plans.dto.js';
import { LicensePlanEntity } from './license-plan.entity.js';
import { LicensePlansService } from './license-plans.service.js';

/** License plans, for the tenant. */
@ApiTags('plans')
@SendsEntityTags()
@Controller('plans')
export class PlansController {
  constructor(private readonly plans: LicensePlansService) {}

  @ApiOperation({ summary: 'Creates a plan for a tier of an extension.' })
  @Post()
  @Idempotent()
  @Bearer('extensions:write', inBody('extensionId'))
  @Throws(ExtensionNotFound, TierExists, TrialOffered, LicensePlanLimitReached)
  @ApiCreatedResponse({ type: Plan })
  create(@CurrentCaller() caller: Caller, @Body() input: CreatePlan): Promise<Plan> {
    return this.plans.create(caller.tenantId, input);
  }

  @ApiOperation({ summary: 'Lists plans, newest first, optionally those of one extension.' })
  @Get()
  @Bearer('extensions:read', inQuery('extension'))
  @Throws(ExtensionNotFound)
  @ApiOkResponse({ type: pageOf(Plan) })
  list(@CurrentCaller() caller: Caller, @Query() query: ListPlans): Promise<Page<Plan>> {
    return this.plans.list(caller.tenantId, query);
  }

  @ApiOperation({ summary: 'Retrieves a plan and its products.' })
  @Get(':id')
  @Bearer('extensions:read', inPath('id', LicensePlanEntity))
  @Throws(PlanNotFound)
  @ApiOkResponse({ type: Plan })
  get(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<Plan> {
    return this.plans.get(caller.tenantId, id);
  }

  @ApiOperation({
    summary:
      'Updates how many devices a license of the plan allows, the features that it unlocks, how long it lasts, its trial, or your own data. Devices that hold a seat keep it.',
  })
  @Patch(':id')
  @Conditional()
  @Bearer('extensions:write', inPath('id', LicensePlanEntity))
  @Throws(PlanNotFound, TrialOffered)
  @ApiOkResponse({ type: Plan })
  update(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @Body() input: UpdatePlan,
    @IfMatch() expected: Precondition,
  ): Promise<Plan> {
    return this.plans.update(caller.tenantId, id, input, expected);
  }

  @ApiOperation({ summary: 'Replaces the list of products that payment processors sell as this plan.' })
  @Put(':id/products')
  @Conditional()
  @Bearer('extensions:write', inPath('id', LicensePlanEntity))
  @Throws(PlanNotFound, ProductTaken)
  @ApiBody({ type: [PlanProduct] })
  @ApiOkResponse({ type: Plan })
  setProducts(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @Body(new ListPipe(PlanProduct, MAX_PRODUCTS)) products: PlanProduct[],
    @IfMatch() expected: Precondition,
  ): Promise<Plan> {
    return this.plans.setProducts(caller.tenantId, id, products, expected);
  }

  @ApiOperation({ summary: 'Deletes a plan that has no licenses, and its trials.' })
  @Delete(':id')
  @HttpCode(204)
  @Conditional()
  @Bearer('extensions:write', inPath('id', LicensePlanEntity))
  @Throws(PlanNotFound, LicensesIssued)
  @ApiNoContentResponse()
  delete(@CurrentCaller() caller: Caller, @IdParam() id: string, @IfMatch() expected: Precondition): Promise<void> {
    return this.plans.delete(caller.tenantId, id, expected);
  }
}
