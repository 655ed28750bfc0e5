import { Controller, Get, Query } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Bearer, CurrentCaller, type Caller } from '../../common/access/index.js';
import { ReadsStandby } from '../../common/database/index.js';
import { AlsoAsCsv, asJsonOrCsv } from '../../common/http/index.js';
import { salesCsv } from './sales-rows.js';
import { SalesQuery, SalesSummary } from './sales.dto.js';
import { SalesService } from './sales.service.js';

/** Sales figures. */
@ApiTags('orders')
@ApiExtraModels(SalesSummary)
@Controller('sales')
export class SalesController {
  constructor(private readonly sales: SalesService) {}

  @ApiOperation({
    summary: 'Adds up sales, renewals, refunds and disputes of a range of days, by plan, processor, country or day.',
  })
  @Get()
  @ReadsStandby()
  @Bearer('licenses:read', 'tenant')
  @AlsoAsCsv(salesCsv)
  @ApiOkResponse(asJsonOrCsv(SalesSummary))
  summarize(@CurrentCaller() caller: Caller, @Query() query: SalesQuery): Promise<SalesSummary> {
    return this.sales.summarize(caller.tenantId, query);
  }
}
