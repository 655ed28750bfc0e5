import { Injectable } from '@nestjs/common';
import { LessThanOrEqual, MoreThan, type Repository } from 'typeorm';
import { Transactions } from '../../common/database/index.js';
import { TrialLinkEntity, type LinkOutcome } from './trial.entity.js';

export type TrialLinkRow = Omit<TrialLinkEntity, 'tenant' | 'plan'>;

/** Links that were mailed to start trials. */
@Injectable()
export class TrialLinksRepository {
  constructor(private readonly tx: Transactions) {}

  async insert(link: TrialLinkRow): Promise<void> {
    await this.rows.insert(link);
  }

  /** Finds a link that still works, with its plan. */
  find(secretDigest: string, now: Date): Promise<TrialLinkEntity | null> {
    const where = { secretDigest, expiresAt: MoreThan(now) };
    return this.rows.findOne({ where, relations: { plan: { extension: true } } });
  }

  /** Finds a link that still works, and locks it. */
  findForUpdate(secretDigest: string, now: Date): Promise<TrialLinkEntity | null> {
    const where = { secretDigest, expiresAt: MoreThan(now) };
    return this.rows.findOne({ where, lock: { mode: 'pessimistic_write' } });
  }

  async setOutcome(id: string, outcome: LinkOutcome, updatedAt: Date): Promise<void> {
    await this.rows.update({ id }, { outcome, updatedAt });
  }

  async deleteOf(tenantId: string, email: string): Promise<void> {
    await this.rows.delete({ tenantId, email });
  }

  /** Deletes the links of a device, so that a deleted trial leaves none. */
  async deleteOfDevice(extensionId: string, fingerprintDigest: Buffer): Promise<void> {
    await this.rows.delete({ extensionId, fingerprintDigest });
  }

  async deleteExpired(now: Date): Promise<void> {
    await this.rows.delete({ expiresAt: LessThanOrEqual(now) });
  }

  private get rows(): Repository<TrialLinkEntity> {
    return this.tx.repository(TrialLinkEntity);
  }
}
