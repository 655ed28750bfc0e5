import { Injectable } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';
import { Leases, Transactions, type Lease } from '../../common/database/index.js';
import { TargetStatusEntity, type LeasedTarget, type TargetStatus } from './target-status.entity.js';
import { joined, toTargetWithStatus } from '../targets.repository.js';

export const RENEW_EVERY_MS = 5_000;

/** The status of targets, as the engine reads and writes it under the lease of one worker. */
@Injectable()
export class TargetStatusRepository {
  readonly leases: Leases;

  constructor(private readonly tx: Transactions) {
    this.leases = new Leases(tx, { table: 'target_status', key: 'target_id', due: 'next_check_at', seconds: 20 });
  }

  /** Claims the target that has been due for longest; null when there is none. */
  async claimDue(now: Date): Promise<LeasedTarget | null> {
    const lease = await this.leases.claimDue(now);
    return lease && this.find(lease);
  }

  /** Claims one target, due or not; null when another worker has it or its store cannot be asked. */
  async claimOne(id: string): Promise<LeasedTarget | null> {
    const lease = await this.leases.claimOne(id);
    return lease && this.find(lease);
  }

  /** The target as it is now; null when the lease was lost or the target is gone. */
  async find(lease: Lease): Promise<LeasedTarget | null> {
    return toLeased(lease, await this.leased(lease).getOne());
  }

  /** The target as it is now, locked with its settings until the transaction ends; null when the lease was lost or the target is gone. */
  async findForUpdate(lease: Lease): Promise<LeasedTarget | null> {
    return toLeased(lease, await this.leased(lease).setLock('pessimistic_write').getOne());
  }

  /** Writes the status of a target that is locked. */
  async update(id: string, status: Partial<TargetStatus>): Promise<void> {
    await this.tx.repository(TargetStatusEntity).update({ targetId: id }, status);
  }

  private leased({ id, leaseToken }: Lease): SelectQueryBuilder<TargetStatusEntity> {
    return joined(this.tx).where('status.targetId = :id and status.leaseToken = :leaseToken', { id, leaseToken });
  }
}

const toLeased = ({ leaseToken }: Lease, row: TargetStatusEntity | null): LeasedTarget | null =>
  row && { ...toTargetWithStatus(row), leaseToken };
