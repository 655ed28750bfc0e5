import { Body, Controller, Get, Headers, HttpCode, Ip, Post, Query } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiConsumes,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiExtraModels,
} from '@nestjs/swagger';
import { Bearer, CurrentCaller, Public, LimitedPerAddress, inPath, type Caller } from '../common/access/index.js';
import {
  AcceptsJsonAsText,
  AlsoAsCsv,
  asJsonOrCsv,
  CrossOrigin,
  IdParam,
  type RequestHeaders,
} from '../common/http/index.js';
import { Throws } from '../common/problems/index.js';
import { ReadsStandby } from '../common/database/index.js';
import { ExtensionNotFound } from '../registry/index.js';
import { AnalyticsOverview, AnalyticsReport, OverviewQuery, PingInput, ReportQuery } from './analytics.dto.js';
import { PingsService } from './ping/pings.service.js';
import { overviewRows, reportRows } from './report/csv-rows.js';
import { ReportsService } from './report/reports.service.js';

/** Pings of installs, and reports on them. */
@ApiTags('analytics')
@ApiExtraModels(AnalyticsReport, AnalyticsOverview)
@Controller()
export class AnalyticsController {
  constructor(
    private readonly pings: PingsService,
    private readonly reports: ReportsService,
  ) {}

  @ApiOperation({
    summary: 'Counts an install as active today. The answer is the same whether or not the ping counts.',
  })
  @Post('analytics/ping')
  @HttpCode(202)
  @Public('installed extensions have no secret; the route returns nothing and is limited per address')
  @CrossOrigin()
  @AcceptsJsonAsText()
  @LimitedPerAddress('ping', 'rateLimitPingPerAddress')
  @ApiConsumes('application/json', 'text/plain')
  @ApiAcceptedResponse()
  ping(@Body() input: PingInput, @Ip() address: string, @Headers() headers: RequestHeaders): Promise<void> {
    return this.pings.receive(input, address, headers);
  }

  @ApiOperation({
    summary:
      "Reports an extension's active installs by day, their shares, and the adoption of versions. Today is live.",
  })
  @Get('extensions/:id/analytics')
  @ReadsStandby()
  @Bearer('analytics:read', inPath('id'))
  @Throws(ExtensionNotFound)
  @AlsoAsCsv(reportRows)
  @ApiOkResponse(asJsonOrCsv(AnalyticsReport))
  report(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @Query() query: ReportQuery,
  ): Promise<AnalyticsReport> {
    return this.reports.report(caller.tenantId, id, query);
  }

  @ApiOperation({
    summary: "Reports the active installs of all the tenant's extensions, together and one by one. Today is live.",
  })
  @Get('analytics/overview')
  @ReadsStandby()
  @Bearer('analytics:read', 'tenant')
  @AlsoAsCsv(overviewRows)
  @ApiOkResponse(asJsonOrCsv(AnalyticsOverview))
  overview(@CurrentCaller() caller: Caller, @Query() query: OverviewQuery): Promise<AnalyticsOverview> {
    return this.reports.overview(caller.tenantId, query);
  }
}
