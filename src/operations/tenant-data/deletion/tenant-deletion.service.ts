import { Injectable } from '@nestjs/common';
import { RateLimits, type SessionCaller } from '../../../common/access/index.js';
import { Precondition } from '../../../common/http/index.js';
import { newRow, Transactions } from '../../../common/database/index.js';
import { AuditLog } from '../../../platform/audit/index.js';
import { Clock, DAY_MS, DAY_SECONDS } from '../../../common/system/index.js';
import { AccountsService, PasswordsService } from '../../../platform/accounts/index.js';
import { composeMail, nameInMail, OutboxService } from '../../../platform/mail/index.js';
import { ExtensionsService } from '../../../registry/index.js';
import { ExportsService } from '../exports/exports.service.js';
import type { RequestDeletion, TenantDeletion } from '../tenant-data.dto.js';
import { DeletionNotScheduled, TenantNameMismatch } from '../tenant-data.problems.js';
import { TenantDeletionRepository, type DueDeletion, type TenantDeletionRow } from './tenant-deletion.repository.js';

/** Time in which a deletion can be canceled. */
const GRACE_MS = 7 * DAY_MS;
/** Limit of requests to delete a tenant: each time, all owners get a mail. */
const REQUESTS = { name: 'tenant-deletion', points: 3, withinSeconds: DAY_SECONDS };
const PURPOSE = 'tenant-deletion';

/** The deletion of a tenant: an owner requests it, any owner can cancel it within 7 days, and then it is carried out. */
@Injectable()
export class TenantDeletionService {
  constructor(
    private readonly clock: Clock,
    private readonly limits: RateLimits,
    private readonly tx: Transactions,
    private readonly accounts: AccountsService,
    private readonly passwords: PasswordsService,
    private readonly extensions: ExtensionsService,
    private readonly exports: ExportsService,
    private readonly deletions: TenantDeletionRepository,
    private readonly outbox: OutboxService,
    private readonly audit: AuditLog,
  ) {}

  /** Schedules a deletion, and mails all owners. */
  async request(caller: SessionCaller, input: RequestDeletion, address: string): Promise<TenantDeletion> {
    const { tenantId, userId } = caller;
    const { tenant, user } = await this.accounts.me(userId, tenantId);
    await this.passwords.checkIfSet(caller, input.password, address);
    if (input.tenantName !== tenant.name) throw new TenantNameMismatch();
    await this.limits.consume(REQUESTS, tenantId);
    const base = newRow(this.clock.now());
    const dueAt = new Date(base.createdAt.getTime() + GRACE_MS);
    const row = { ...base, tenantId, requestedBy: user.email, dueAt, leaseToken: null, leaseUntil: null };
    await this.tx.run(async () => {
      await this.deletions.insert(row);
      await this.audit.record(tenantId, 'tenant.deletion_scheduled', tenant);
      const mail = composeMail(
        `${nameInMail(tenant.name)} will be deleted`,
        [
          `${user.email} has requested the deletion of ${nameInMail(tenant.name)}. It will be deleted, with all its data, on ${dueAt.toUTCString()}.`,
          'Until then, any owner can cancel the deletion.',
        ],
        `because you are an owner of ${nameInMail(tenant.name)}`,
      );
      for (const to of await this.accounts.ownersOf(tenantId))
        await this.outbox.add({ ...mail, purpose: PURPOSE, aboutId: row.id, tenantId, to, expiresAt: dueAt });
    });
    return toTenantDeletion(row);
  }

  async get(tenantId: string): Promise<TenantDeletion> {
    const row = await this.deletions.find(tenantId, this.clock.now());
    if (row === null) throw new DeletionNotScheduled();
    return toTenantDeletion(row);
  }

  /** Cancels a deletion, and withdraws mails about it that have not been sent. */
  async cancel(tenantId: string): Promise<void> {
    await this.tx.run(async () => {
      const now = this.clock.now();
      const row = await this.deletions.find(tenantId, now);
      if (row === null || !(await this.deletions.delete(tenantId, now))) throw new DeletionNotScheduled();
      await this.outbox.withdraw(PURPOSE, [row.id]);
      await this.audit.record(tenantId, 'tenant.deletion_canceled', { id: tenantId });
    });
  }

  /**
   * Deletes a tenant step by step. Each step commits separately and does nothing when it is repeated, so the next attempt continues where a
   * crash ended this one.
   * @param whileDeleting called between the steps; an error that it throws ends the attempt
   */
  async carryOut(deletion: DueDeletion, whileDeleting: () => Promise<void>): Promise<void> {
    const { tenantId } = deletion;
    await this.tx.run(async () => {
      const userIds = await this.deletions.deleteMembers(tenantId);
      await this.deletions.deleteUsersWithoutTenant(userIds);
      await this.deletions.deleteUnusedCredentials(tenantId);
    });
    while (await this.deletions.deleteBatch(tenantId)) await whileDeleting();
    while (await this.audit.forget(tenantId)) await whileDeleting();
    for (const id of await this.deletions.findExtensionIds(tenantId)) {
      await this.extensions.delete(tenantId, id, Precondition.NONE);
      await whileDeleting();
    }
    await this.exports.removeArchives(tenantId);
    await this.tx.run(async () => {
      if (await this.deletions.locks.lockRow(deletion)) await this.deletions.deleteTenant(tenantId);
    });
  }
}

const toTenantDeletion = ({ dueAt, requestedBy, createdAt }: TenantDeletionRow): TenantDeletion => ({
  deletesAt: dueAt,
  requestedBy,
  createdAt,
});
