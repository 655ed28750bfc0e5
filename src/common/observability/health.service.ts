import { Injectable, Logger, ServiceUnavailableException } from '@nestjs/common';
import {
  HealthCheckService,
  HealthIndicatorService,
  type HealthCheckResult,
  type HealthIndicatorResult,
} from '@nestjs/terminus';
import { DataSource } from 'typeorm';
import { within } from '../net/index.js';
import { KeyFingerprints } from '../sealing/index.js';
import { BlobStore } from '../storage/index.js';
import { DiskProbe } from './disk-probe.js';

/** A check that takes longer has failed. */
const CHECK_MS = 3_000;

/** A detail that is reported beside the checks. */
type Detail = Readonly<Record<string, unknown>> & { readonly status: 'up' | 'down' };

/** Whether this process can work. */
@Injectable()
export class HealthService {
  /** Details that `/health/ready` also reports, by name; they do not affect its status. */
  readonly details = new Map<string, () => Promise<Detail>>();
  private readonly log = new Logger(HealthService.name);
  private readonly failing = new Set<string>();

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

  /** Returns the result of `check`, with the details that can be read now. */
  async report(): Promise<HealthCheckResult> {
    const result = await this.check();
    const details: Record<string, Detail> = {};
    for (const [name, read] of this.details)
      await within(CHECK_MS, read()).then(
        (detail) => (details[name] = detail),
        () => undefined,
      );
    return { ...result, details: { ...result.details, ...details } };
  }

  private async assertMigrated(): Promise<void> {
    if (await this.dataSource.showMigrations()) throw new Error('Migrations are pending');
  }

  private async probe(name: string, check: () => Promise<unknown>): Promise<HealthIndicatorResult> {
    const indicator = this.indicators.check(name);
    try {
      await within(CHECK_MS, check());
      if (this.failing.delete(name)) this.log.log({ msg: 'check succeeds again', check: name });
      return indicator.up();
    } catch (error) {
      // Once for each outage: monitoring asks every few seconds.
      if (!this.failing.has(name)) this.log.error({ msg: 'check failed', check: name, err: error });
      this.failing.add(name);
      return indicator.down();
    }
  }
}
