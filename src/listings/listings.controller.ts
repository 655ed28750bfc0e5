import { Controller, Get, Query } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Bearer, CurrentCaller, inQuery, type Caller } from '../common/access/index.js';
import { AlsoAsCsv, asJsonOrCsv } from '../common/http/index.js';
import { Throws } from '../common/problems/index.js';
import { ExtensionNotFound } from '../registry/index.js';
import { storeReportRows } from './figures/csv-rows.js';
import { StoreReport, StoreReportQuery } from './figures/store-report.dto.js';
import { StoreReportsService } from './figures/store-reports.service.js';

/** What stores know of items. */
@ApiTags('analytics')
@ApiExtraModels(StoreReport)
@Controller()
export class ListingsController {
  constructor(private readonly reports: StoreReportsService) {}

  @ApiOperation({
    summary:
      "Reports what each store counted of an extension's users, installs and ratings. `readAt` says when the store last answered; days that it did not tell are null.",
  })
  @Get('analytics/stores')
  @Bearer('analytics:read', inQuery('extension'))
  @Throws(ExtensionNotFound)
  @AlsoAsCsv(storeReportRows)
  @ApiOkResponse(asJsonOrCsv(StoreReport))
  report(@CurrentCaller() caller: Caller, @Query() query: StoreReportQuery): Promise<StoreReport> {
    return this.reports.report(caller.tenantId, query);
  }
}
