import { Controller, Get, Header, Res, UseGuards } from '@nestjs/common';
import { ApiExcludeController, ApiOperation } from '@nestjs/swagger';
import { HealthCheck, type HealthCheckResult } from '@nestjs/terminus';
import type { Response } from 'express';
import { Registry } from 'prom-client';
import { Public } from '../access/index.js';
import { ExactPathGuard, OutsideApi } from '../http/index.js';
import { HealthService } from './health.service.js';
import { Metrics } from './metrics.js';

const LIVE = { status: 'ok' } as const;

/** For monitoring. */
@ApiExcludeController()
@OutsideApi()
@UseGuards(ExactPathGuard)
@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthService,
    private readonly metrics: Metrics,
  ) {}

  @ApiOperation({ summary: 'Answers while the process runs.' })
  @Get('health/live')
  @Public('reveals only that the process runs')
  live(): typeof LIVE {
    return LIVE;
  }

  @ApiOperation({
    summary:
      'Answers whether the process can work: database, schema, keys, blob store and disk. Also shows the status of the backups.',
  })
  @Get('health/ready')
  @HealthCheck()
  @Public('reveals only which part is down, and how old the last backup is')
  async ready(@Res({ passthrough: true }) response: Response): Promise<HealthCheckResult> {
    return withStatus(response, await this.health.report());
  }

  @ApiOperation({ summary: 'Shows the metrics for Prometheus.' })
  @Get('metrics')
  @Header('content-type', Registry.PROMETHEUS_CONTENT_TYPE)
  @Public('contains counts and durations only')
  prometheus(): Promise<string> {
    return this.metrics.registry.metrics();
  }
}

function withStatus(response: Response, result: HealthCheckResult): HealthCheckResult {
  response.status(result.status === 'ok' ? 200 : 503);
  return result;
}
