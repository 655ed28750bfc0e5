import { Controller, Get, Res, ServiceUnavailableException } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import {
  HealthCheck,
  HealthCheckService,
  HealthIndicatorService,
  type HealthCheckResult,
  type HealthIndicatorResult,
} from '@nestjs/terminus';
import type { Response } from 'express';
import { DataSource } from 'typeorm';
import { Public } from '../access/index.js';
import { BlobStore } from '../storage/index.js';
import { OutsideApi } from '../http/index.js';
import { Metrics } from './metrics.js';
import { KeyFingerprints } from '../sealing/index.js';
import { DiskProbe } from './disk-probe.js';

const LIVE = { status: 'ok' } as const;

/** For monitoring. */
@ApiExcludeController()
@OutsideApi()
@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly dataSource: DataSource,
    private readonly blobs: BlobStore,
    private readonly disk: DiskProbe,
    private readonly metrics: Metrics,
    private readonly keys: KeyFingerprints,
  ) {}

  /** The process answers. */
  @Get('health/live')
  @Public('reveals only that the process runs')
  live(): typeof LIVE {
    return LIVE;
  }

  /** The process can work: database, schema, keys, blob store and disk. */
  @Get('health/ready')
  @HealthCheck()
  @Public('reveals only which part is down')
  async ready(@Res({ passthrough: true }) response: Response): Promise<HealthCheckResult> {
    try {
      return await this.health.check([
        () => this.probe('database', () => this.dataSource.query('select 1')),
        () => this.probe('migrations', () => this.assertMigrated()),
        () => this.probe('keys', () => this.keys.check()),
        () => this.probe('blobs', () => this.blobs.check()),
        () => this.probe('disk', () => this.disk.check()),
      ]);
    } catch (error) {
      if (!(error instanceof ServiceUnavailableException)) throw error;
      response.status(error.getStatus());
      return error.getResponse() as HealthCheckResult;
    }
  }

  /** Prometheus. */
  @Get('metrics')
  @Public('contains counts and durations only')
  async prometheus(@Res({ passthrough: true }) response: Response): Promise<string> {
    response.type(this.metrics.registry.contentType);
    return this.metrics.registry.metrics();
  }

  private async assertMigrated(): Promise<void> {
    if (await this.dataSource.showMigrations()) throw new Error('Migrations are pending');
  }

  private async probe(name: string, check: () => Promise<unknown>): Promise<HealthIndicatorResult> {
    const indicator = this.indicators.check(name);
    try {
      await check();
      return indicator.up();
    } catch {
      return indicator.down();
    }
  }
}
