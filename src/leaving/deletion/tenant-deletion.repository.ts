import { Injectable } from '@nestjs/common';
import { MoreThan, type Repository } from 'typeorm';
import { Leases, onConstraint, Transactions, type Lease } from '../../common/database/index.js';
import { DeletionScheduled } from '../leaving.problems.js';
import { TenantDeletionEntity } from './tenant-deletion.entity.js';

export type TenantDeletionRow = Omit<TenantDeletionEntity, 'tenant'>;

/** A deletion whose time has come, and the lease of the worker that carries it out. */
export type ClaimedDeletion = TenantDeletionRow & Lease;

/** Few enough that nobody waits long for their locks. */
const BATCH = 1000;

/** Tables whose rows of one tenant may be many: they are deleted a batch at a time. What refers to them goes with them. */
const LARGE_TABLES = ['license', 'inbox_item', 'purchase', 'notification_delivery', 'notification', 'mail'] as const;

/** Deletions of tenants: the one place that deletes the rows of other folders. */
@Injectable()
export class TenantDeletionRepository {
  readonly leases: Leases;

  constructor(private readonly tx: Transactions) {
    this.leases = new Leases(tx, { table: 'tenant_deletion', due: 'due_at', seconds: 60 });
  }

  /** Schedules a deletion. @throws DeletionScheduled */
  async insert(row: TenantDeletionRow): Promise<void> {
    await onConstraint(() => this.deletions.insert(row), {
      tenant_deletion_tenant_id_key: () => new DeletionScheduled(),
    });
  }

  /** Finds a deletion that can still be called off. */
  find(tenantId: string, now: Date): Promise<TenantDeletionRow | null> {
    return this.deletions.findOneBy({ tenantId, dueAt: MoreThan(now) });
  }

  /** Calls a deletion off. @returns false when there is none, or its time has come */
  async delete(tenantId: string, now: Date): Promise<boolean> {
    return (await this.deletions.delete({ tenantId, dueAt: MoreThan(now) })).affected === 1;
  }

  /** Claims the deletion that has been due for longest. */
  async claim(now: Date): Promise<ClaimedDeletion | null> {
    const lease = await this.leases.claimDue(now);
    const row = lease === null ? null : await this.deletions.findOneBy({ id: lease.id });
    return lease === null || row === null ? null : { ...row, leaseToken: lease.leaseToken };
  }

  /** Has an attempt that failed repeated at a time, and returns the lease. */
  async retryAt({ id, leaseToken }: Lease, dueAt: Date): Promise<void> {
    await this.deletions.update({ id, leaseToken }, { dueAt, leaseToken: null, leaseUntil: null });
  }

  /** Removes all members with their sessions, all tokens, and the rules by which CI gets new ones. @returns the members' ids */
  async deleteMembers(tenantId: string): Promise<readonly string[]> {
    // Waits for those who are joining: their accounts must go too.
    await this.tx.query('select 1 from tenant where id = $1 for update', [tenantId]);
    await this.tx.query('delete from ci_trust_rule where tenant_id = $1', [tenantId]);
    await this.tx.query('delete from access_token where tenant_id = $1', [tenantId]);
    const rows = await this.tx.query<{ readonly userId: string }>(
      'delete from membership where tenant_id = $1 returning user_id as "userId"',
      [tenantId],
    );
    return rows.map(({ userId }) => userId);
  }

  /** Deletes those of the users who belong to no tenant. They are locked first, so that nobody joins a tenant in between. */
  async deleteUsersWithoutTenant(ids: readonly string[]): Promise<void> {
    await this.tx.query('select 1 from tenant_user where id = any($1) order by id for update', [ids]);
    await this.tx.query(
      'delete from tenant_user u where id = any($1) and not exists (select 1 from membership m where m.user_id = u.id)',
      [ids],
    );
  }

  /** Deletes the accounts at processors: their notifications are refused from then on, and issue nothing. */
  async deleteUnusedCredentials(tenantId: string): Promise<void> {
    await this.tx.query(
      'delete from credential c where tenant_id = $1 and not exists (select 1 from target t where t.credential_id = c.id)',
      [tenantId],
    );
  }

  /** The ids of the tenant's extensions. */
  async extensionIds(tenantId: string): Promise<readonly string[]> {
    const rows = await this.tx.query<{ readonly id: string }>('select id from extension where tenant_id = $1', [
      tenantId,
    ]);
    return rows.map(({ id }) => id);
  }

  /** Deletes a batch of the rows that may be many. @returns false when none is left */
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

  /** Deletes the tenant, with what is left of it. */
  async deleteTenant(tenantId: string): Promise<void> {
    await this.tx.query('delete from tenant where id = $1', [tenantId]);
  }

  private get deletions(): Repository<TenantDeletionEntity> {
    return this.tx.repository(TenantDeletionEntity);
  }
}
