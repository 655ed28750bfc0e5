import { Injectable } from '@nestjs/common';
import { BackupRunsService, type BackupStatus } from '../backup/index.js';
import { Config, SETTINGS } from '../../common/config/index.js';
import { pageFrom, type Page, type PageQuery } from '../../common/fields/index.js';
import { HealthService } from '../../common/observability/index.js';
import { KeyFingerprints } from '../../common/sealing/index.js';
import { Clock, COMMIT, freeBytes, VERSION } from '../../common/system/index.js';
import type { Instance, InstanceTenant } from './instance.dto.js';
import { InstanceRepository } from './instance.repository.js';
import { ageSeconds, reportOf } from './report.js';

const FINGERPRINT_DIGITS = 8;
const NO_BACKUP = {
  id: null,
  outcome: null,
  startedAt: null,
  finishedAt: null,
  name: null,
  sizeBytes: null,
  error: null,
};

/** The status of the instance and its tenants, for operators. */
@Injectable()
export class InstanceService {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly health: HealthService,
    private readonly fingerprints: KeyFingerprints,
    private readonly rows: InstanceRepository,
    private readonly backups: BackupRunsService,
  ) {}

  /** Returns the status of the instance. */
  async show(): Promise<Instance> {
    const { details } = await this.health.check();
    const facts = await this.rows.facts();
    const now = this.clock.now();
    const shown = {
      version: VERSION,
      commit: COMMIT,
      node: process.version,
      database: {
        version: facts.version,
        embedded: this.config.embedded,
        pendingMigrations: await this.rows.pendingMigrations(),
      },
      checks: Object.entries(details).map(([name, { status }]) => ({ name, up: status === 'up' })),
      keys: (await this.fingerprints.configured).map(({ of, keyId, isCurrent, fingerprint }) => ({
        setting: SETTINGS[of].name,
        id: keyId,
        current: isCurrent,
        fingerprint: fingerprint.toString('hex').slice(0, FINGERPRINT_DIGITS),
      })),
      waiting: {
        targetSeconds: ageSeconds(facts.targetDueAt, now),
        deliverySeconds: ageSeconds(facts.deliveryDueAt, now),
        mailSeconds: ageSeconds(facts.mailDueAt, now),
        inboxSeconds: ageSeconds(facts.inboxSince, now),
        rollUpSeconds: ageSeconds(facts.openDayEndsAt, now),
      },
      mail: {
        configured: this.config.smtpUrl !== undefined,
        lastSentAt: facts.mailSentAt,
        lastFailedAt: facts.mailFailedAt,
        lastError: facts.mailError,
      },
      storage: {
        kind: this.config.s3Bucket === undefined ? ('folder' as const) : ('bucket' as const),
        freeBytes: await freeBytes(this.config.dataDir),
      },
      ...backupsOf(await this.backups.status()),
    };
    return { ...shown, report: reportOf(shown) };
  }

  /** Lists all tenants, newest first. */
  tenants(query: PageQuery): Promise<Page<InstanceTenant>> {
    return pageFrom(
      query,
      (page) => this.rows.tenants(page),
      (tenant) => tenant,
    );
  }
}

/** Returns the schedule of the backups, and the last one that ended. */
function backupsOf({ everyHours, nextAt, last, lastSucceeded, outage }: BackupStatus) {
  const lastSucceededAt = lastSucceeded?.finishedAt ?? null;
  const backups = { everyHours, nextAt, lastSucceededAt, overdue: outage !== null };
  const { id: _, ...lastBackup } = last ?? NO_BACKUP;
  return { backups, lastBackup };
}
