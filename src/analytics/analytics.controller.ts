import type { IncomingHttpHeaders } from 'node:http';
import { Body, Controller, Get, Headers, HttpCode, Ip, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiConsumes,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
  ApiExtraModels,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Bearer, CurrentCaller, Public, type Caller, LimitedPerAddress } from '../common/access/index.js';
import { AcceptsJsonAsText, CrossOrigin, IdParam } from '../common/http/index.js';
import { Throws } from '../common/problems/index.js';
import { ExtensionNotFound } from '../registry/index.js';
import { AnalyticsOverview, AnalyticsReport, OverviewQuery, PingInput, ReportQuery } from './analytics.dto.js';
import { PingsService } from './ping/pings.service.js';
import { ReportsService } from './report/reports.service.js';

@ApiTags('analytics')
@ApiExtraModels(AnalyticsReport, AnalyticsOverview)
@Controller()
export class AnalyticsController {
  constructor(
    private readonly pings: PingsService,
    private readonly reports: ReportsService,
  ) {}

  @ApiOperation({
    summary: 'Says that an install is there today. The answer is the same whether the ping was counted or not.',
  })
  @Post('analytics/ping')
  @HttpCode(202)
  @Public('Installed extensions have no secret; nothing is read back, and addresses are limited.')
  @CrossOrigin()
  @AcceptsJsonAsText()
  @LimitedPerAddress('ping', 'rateLimitPingPerAddress')
  @ApiConsumes('application/json', 'text/plain')
  @ApiAcceptedResponse()
  ping(@Body() input: PingInput, @Ip() address: string, @Headers() headers: IncomingHttpHeaders): Promise<void> {
    return this.pings.receive(input, address, headers);
  }

  @ApiOperation({ summary: "An extension's figures: days, shares and how versions are taken up. Today is live." })
  @Get('extensions/:id/analytics')
  @Bearer('analytics:read')
  @Throws(ExtensionNotFound)
  @ApiOkResponse(asJsonOrCsv(AnalyticsReport))
  report(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @Query() query: ReportQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.reports.report(caller.tenantId, id, query, request, response);
  }

  @ApiOperation({ summary: "The figures of all the tenant's extensions, together and one by one. Today is live." })
  @Get('analytics/overview')
  @Bearer('analytics:read')
  @ApiOkResponse(asJsonOrCsv(AnalyticsOverview))
  overview(
    @CurrentCaller() caller: Caller,
    @Query() query: OverviewQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.reports.overview(caller.tenantId, query, request, response);
  }
}

/** An answer that is CSV for whoever prefers that. */
function asJsonOrCsv(type: new () => object): object {
  return {
    description: 'As JSON, or as CSV with `Accept: text/csv`.',
    content: {
      'application/json': { schema: { $ref: getSchemaPath(type) } },
      'text/csv': { schema: { type: 'string' } },
    },
  };
}
