import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BackupRunsService, type BackupStatus } from '../backup/index.js';
import { Config } from '../../common/config/index.js';
import { HealthService, Metrics } from '../../common/observability/index.js';
import { Clock, freeBytes } from '../../common/system/index.js';
import { InstanceRepository } from './instance.repository.js';
import { ageSeconds } from './report.js';

/** Adds the status of the instance to the metrics, and that of the backups to `/health/ready`. */
@Injectable()
export class InstanceMetrics implements OnModuleInit {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    private readonly health: HealthService,
    private readonly backups: BackupRunsService,
    private readonly rows: InstanceRepository,
  ) {}

  onModuleInit(): void {
    this.showWork();
    this.showProcess();
    this.showBackups();
    this.health.details.set('backup', async () => {
      const { last, lastSucceeded, outage } = await this.backups.status();
      return {
        status: outage === null ? 'up' : 'down',
        lastOutcome: last?.outcome ?? null,
        ageSeconds: ageSeconds(lastSucceeded?.finishedAt ?? null, this.clock.now()),
        sizeBytes: lastSucceeded?.sizeBytes ?? null,
      };
    });
  }

  private showWork(): void {
    this.metrics.addGauge(
      {
        name: 'pierhead_oldest_due_seconds',
        help: 'How long the oldest due target, webhook, mail, payment notification or day of analytics has waited; 0 when none waits.',
        labelNames: ['work'],
      },
      async () => {
        const { targetDueAt, deliveryDueAt, mailDueAt, inboxSince, openDayEndsAt } = await this.rows.facts();
        const dueAt = {
          target: targetDueAt,
          delivery: deliveryDueAt,
          // Without a mail server, mails wait by design.
          mail: this.config.smtpUrl === undefined ? null : mailDueAt,
          inbox: inboxSince,
          roll_up: openDayEndsAt,
        };
        const now = this.clock.now();
        return Object.entries(dueAt).map(([work, at]) => [{ work }, ageSeconds(at, now) ?? 0]);
      },
    );
  }

  private showProcess(): void {
    this.metrics.addGauge(
      {
        name: 'pierhead_check_up',
        help: 'Whether each check of /health/ready succeeds in this process.',
        labelNames: ['check'],
      },
      async () => {
        const { details } = await this.health.check();
        return Object.entries(details).map(([check, { status }]) => [{ check }, status === 'up' ? 1 : 0]);
      },
    );
    this.metrics.addGauge(
      { name: 'pierhead_disk_free_bytes', help: 'Bytes that are free on the disk of DATA_DIR.' },
      async () => [[{}, await freeBytes(this.config.dataDir)]],
    );
  }

  private showBackups(): void {
    let reading: Promise<BackupStatus> | undefined;
    // One reading serves all gauges of a scrape.
    const status = (): Promise<BackupStatus> =>
      (reading ??= this.backups.status().finally(() => (reading = undefined)));
    const add = (name: string, help: string, valueOf: (status: BackupStatus) => number | null): void =>
      this.metrics.addGauge({ name: `pierhead_backup_${name}`, help }, async () => {
        const value = valueOf(await status());
        return value === null ? [] : [[{}, value]];
      });
    add('age_seconds', 'Seconds since the last backup that succeeded.', ({ lastSucceeded }) =>
      ageSeconds(lastSucceeded?.finishedAt ?? null, this.clock.now()),
    );
    add(
      'size_bytes',
      'Size of the last backup that succeeded.',
      ({ lastSucceeded }) => lastSucceeded?.sizeBytes ?? null,
    );
    add('failed', '1 when the last backup failed.', ({ last }) => (last?.outcome === 'failed' ? 1 : 0));
    add('overdue', '1 when no backup has succeeded for a day, or for longer than the schedule allows.', ({ outage }) =>
      outage === null ? 0 : 1,
    );
  }
}
