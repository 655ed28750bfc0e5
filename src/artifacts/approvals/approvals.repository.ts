import { Injectable } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';
import { Transactions } from '../../common/database/index.js';
import type { PageStart } from '../../common/fields/index.js';
import type { ArtifactEntity } from '../artifact.entity.js';
import { ApprovalEntity, type ApprovalRow, type ApprovalState } from './approval.entity.js';
import type { Asked } from './clearance.js';

/** What a list of requests is of; null for no condition. */
export interface ApprovalFilter {
  readonly tenantId: string;
  readonly extensionIds: readonly string[] | null;
  readonly extensionId: string | null;
  readonly states: readonly ApprovalState[];
}

/** Requests to send versions, and decisions of people about them. */
@Injectable()
export class ApprovalsRepository {
  constructor(private readonly tx: Transactions) {}

  /**
   * Whether an extension requires approvals, and the requests about one of its versions, newest first. Of a target, also when another extension of the
   * tenant with a target at the same item does. Raw SQL: each round of each target runs it.
   */
  async findAbout(
    extensionId: string,
    version: string,
    targetId: string | null = null,
  ): Promise<{ readonly isRequired: boolean; readonly asked: readonly Asked[] }> {
    const rows = await this.tx.query<Asked & { readonly isRequired: boolean }>(
      `select extension.approval_required or exists (
                select 1 from target self join extension requiring on requiring.tenant_id = extension.tenant_id and requiring.approval_required
                  join target other on other.extension_id = requiring.id and other.store = self.store and other.item_key = self.item_key
                 where self.id = $3
              ) as "isRequired", asked.artifact_id as "artifactId", artifact.platform, asked.target_id as "targetId", asked.scope, asked.sha256,
              asked.rollback_of as "rollbackOf", asked.state, asked.act, asked.requested_by as "requestedBy", asked.decided_by as "decidedBy", asked.reason
         from extension left join approval asked on asked.extension_id = extension.id and asked.version = $2 left join artifact on artifact.id = asked.artifact_id
        where extension.id = $1 order by asked.created_at desc, asked.id desc`,
      [extensionId, version, targetId],
    );
    return { isRequired: rows[0]?.isRequired ?? false, asked: rows.filter(({ state }) => state !== null) };
  }

  /** When the newest request about a version was made; null for none. */
  async lastAskedAt(extensionId: string, version: string): Promise<Date | null> {
    const last = await this.approvals.findOne({
      select: { id: true, createdAt: true },
      where: { extensionId, version },
      order: { createdAt: 'DESC' },
    });
    return last?.createdAt ?? null;
  }

  /** Adds a request. @returns false when the same one waits already */
  async insert(row: ApprovalRow): Promise<boolean> {
    const { raw } = await this.approvals.createQueryBuilder().insert().values(row).orIgnore().returning('id').execute();
    return (raw as readonly unknown[]).length === 1;
  }

  findOwn(tenantId: string, id: string): Promise<ApprovalEntity | null> {
    return this.own(tenantId, id).getOne();
  }

  findOwnForUpdate(tenantId: string, id: string): Promise<ApprovalEntity | null> {
    return this.own(tenantId, id).setLock('pessimistic_write', undefined, ['approval']).getOne();
  }

  /** Returns one row more than the page holds, newest first. */
  list(
    { tenantId, extensionIds, extensionId, states }: ApprovalFilter,
    { limit, after }: PageStart,
  ): Promise<readonly ApprovalEntity[]> {
    const query = this.approvals
      .createQueryBuilder('approval')
      .innerJoin('approval.extension', 'extension')
      .where('extension.tenantId = :tenantId and approval.id < :after', { tenantId, after })
      .andWhere('approval.state in (:...states)', { states });
    if (extensionIds !== null) query.andWhere('extension.id = any(:extensionIds)', { extensionIds });
    if (extensionId !== null) query.andWhere('extension.id = :extensionId', { extensionId });
    return query
      .orderBy('approval.id', 'DESC')
      .limit(limit + 1)
      .getMany();
  }

  /** Writes the decision about a request that is locked. */
  async decide(
    id: string,
    decision: Pick<ApprovalRow, 'state' | 'decidedBy' | 'decidedById' | 'decidedAt' | 'reason' | 'updatedAt'>,
  ): Promise<void> {
    await this.approvals.update({ id }, decision);
  }

  /**
   * Withdraws the requests that a pin with a scope and for a platform makes pointless: those with the same, all of them where it is for `any`, and
   * those whose version no target is to get any more. Raw SQL: it compares with what is desired.
   */
  async withdrawReplaced(
    extensionId: string,
    { scope, platform }: Pick<ArtifactEntity, 'scope' | 'platform'>,
    now: Date,
  ): Promise<void> {
    await this.tx.query(
      `update approval set state = 'withdrawn', updated_at = $3 from artifact
        where approval.extension_id = $1 and state = 'waiting' and artifact.id = artifact_id
          and (approval.scope = $2 and ($4 = '' or platform in ('', $4)) or $2 = 'any' or not exists (
            select 1 from target join target_status on target_id = target.id
             where extension_id = $1 and desired_version = approval.store_version and approval.scope in ('any', store, store || ':' || target.id)))`,
      [extensionId, scope, now, platform],
    );
  }

  /** Withdraws the rejections of a version, which somebody pins again while no approval is required. */
  async withdrawRejected(extensionId: string, version: string, now: Date): Promise<void> {
    await this.approvals.update({ extensionId, version, state: 'rejected' }, { state: 'withdrawn', updatedAt: now });
  }

  /** Withdraws the request about one target, for another one about it. */
  async withdrawOf(artifactId: string, targetId: string, now: Date): Promise<void> {
    await this.approvals.update({ artifactId, targetId, state: 'waiting' }, { state: 'withdrawn', updatedAt: now });
  }

  /** Withdraws every request of an extension that waits. */
  async withdrawAll(extensionId: string, now: Date): Promise<void> {
    await this.approvals.update({ extensionId, state: 'waiting' }, { state: 'withdrawn', updatedAt: now });
  }

  private own(tenantId: string, id: string): SelectQueryBuilder<ApprovalEntity> {
    return this.approvals
      .createQueryBuilder('approval')
      .innerJoin('approval.extension', 'extension')
      .where('approval.id = :id and extension.tenantId = :tenantId', { id, tenantId });
  }

  private get approvals() {
    return this.tx.repository(ApprovalEntity);
  }
}
