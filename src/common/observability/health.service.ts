import { Injectable, ServiceUnavailableException } from '@nestjs/common';
import {
  HealthCheckService,
  HealthIndicatorService,
  type HealthCheckResult,
  type HealthIndicatorResult,
} from '@nestjs/terminus';
import { DataSource } from 'typeorm';
import { KeyFingerprints } from '../sealing/index.js';
import { BlobStore } from '../storage/index.js';
import { DiskProbe } from './disk-probe.js';

/** Whether this process can work. */
@Injectable()
export class HealthService {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly dataSource: DataSource,
    private readonly blobs: BlobStore,
    private readonly disk: DiskProbe,
    private readonly keys: KeyFingerprints,
  ) {}

  /** Checks everything that the process needs. Never throws: the result names what is down. */
  async check(): Promise<HealthCheckResult> {
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
      return error.getResponse() as HealthCheckResult;
    }
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
