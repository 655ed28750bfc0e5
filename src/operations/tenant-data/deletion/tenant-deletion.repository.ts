import { Injectable } from '@nestjs/common';
import { MoreThan, type Repository } from 'typeorm';
import { onConstraint, Transactions, WorkLocks, type WorkLock } from '../../../common/database/index.js';
import { DeletionScheduled } from '../tenant-data.problems.js';
import { TenantDeletionEntity } from './tenant-deletion.entity.js';

export type TenantDeletionRow = Omit<TenantDeletionEntity, 'tenant'>;

/** A deletion that is due, and the work lock of the worker that carries it out. */
export type DueDeletion = TenantDeletionRow & WorkLock;

/** Few enough rows that nobody waits long for their locks. */
const BATCH = 1000;

/** Tables that may have many rows of one tenant, which are deleted in batches. Foreign keys delete what refers to them. */
const LARGE_TABLES = [
  'store_review',
  'trial',
  'license',
  'inbox_item',
  'purchase',
  'notification_delivery',
  'notification',
  'mail',
] as const;

/** Deletions of tenants: the one place that deletes the rows of other folders. */
@Injectable()
export class TenantDeletionRepository {
  readonly locks: WorkLocks;

  constructor(private readonly tx: Transactions) {
    this.locks = new WorkLocks(tx, { table: 'tenant_deletion', due: 'due_at', seconds: 60 });
  }

  /** Schedules a deletion. */
  async insert(row: TenantDeletionRow): Promise<void> {
    await onConstraint(() => this.deletions.insert(row), {
      tenant_deletion_tenant_id_key: () => new DeletionScheduled(),
    });
  }

  /** Finds a deletion that can still be canceled. */
  find(tenantId: string, now: Date): Promise<TenantDeletionRow | null> {
    return this.deletions.findOneBy({ tenantId, dueAt: MoreThan(now) });
  }

  /** Cancels a deletion. @returns false when there is none, or it is due */
  async delete(tenantId: string, now: Date): Promise<boolean> {
    return (await this.deletions.delete({ tenantId, dueAt: MoreThan(now) })).affected === 1;
  }

  /** Takes the deletion that has been due for longest. */
  async take(now: Date): Promise<DueDeletion | null> {
    const lock = await this.locks.takeDue(now);
    const row = lock === null ? null : await this.deletions.findOneBy({ id: lock.id });
    return lock === null || row === null ? null : { ...row, leaseToken: lock.leaseToken };
  }

  /** Schedules another attempt after a failed one, and returns the work lock. */
  async postpone({ id, leaseToken }: WorkLock, dueAt: Date): Promise<void> {
    await this.deletions.update({ id, leaseToken }, { dueAt, leaseToken: null, leaseUntil: null });
  }

  /** Removes all members with their sessions, all tokens, and the rules by which CI gets new ones. @returns the members' ids */
  async deleteMembers(tenantId: string): Promise<readonly string[]> {
    // Waits for users who are joining, since their accounts must be deleted too.
    await this.tx.query('select 1 from tenant where id = $1 for update', [tenantId]);
    await this.tx.query('delete from ci_trust_rule where tenant_id = $1', [tenantId]);
    await this.tx.query('delete from access_token where tenant_id = $1', [tenantId]);
    const rows = await this.tx.query<{ readonly userId: string }>(
      'delete from membership where tenant_id = $1 returning user_id as "userId"',
      [tenantId],
    );
    return rows.map(({ userId }) => userId);
  }

  /** Deletes the users who belong to no tenant. Locks them first, so that none joins a tenant in between. */
  async deleteUsersWithoutTenant(ids: readonly string[]): Promise<void> {
    await this.tx.query('select 1 from tenant_user where id = any($1) order by id for update', [ids]);
    await this.tx.query(
      'delete from tenant_user u where id = any($1) and not exists (select 1 from membership m where m.user_id = u.id)',
      [ids],
    );
  }

  /** Deletes credentials that no target uses, such as those of processors, whose notifications are refused from then on. */
  async deleteUnusedCredentials(tenantId: string): Promise<void> {
    await this.tx.query(
      'delete from credential c where tenant_id = $1 and not exists (select 1 from target t where t.credential_id = c.id)',
      [tenantId],
    );
  }

  /** Finds the ids of the tenant's extensions. */
  async findExtensionIds(tenantId: string): Promise<readonly string[]> {
    const rows = await this.tx.query<{ readonly id: string }>('select id from extension where tenant_id = $1', [
      tenantId,
    ]);
    return rows.map(({ id }) => id);
  }

  /** Deletes a batch of rows of the large tables. @returns false when none is left */
  async deleteBatch(tenantId: string): Promise<boolean> {
    for (const table of LARGE_TABLES) {
      const rows = await this.tx.query(
        `delete from ${table} where id = any(array(select id from ${table} where tenant_id = $1 limit ${BATCH})) returning 1`,
        [tenantId],
      );
      if (rows.length > 0) return true;
    }
    return false;
  }

  /** Deletes the tenant, and by foreign keys all rows that are left. */
  async deleteTenant(tenantId: string): Promise<void> {
    await this.tx.query('delete from tenant where id = $1', [tenantId]);
  }

  private get deletions(): Repository<TenantDeletionEntity> {
    return this.tx.repository(TenantDeletionEntity);
  }
}
