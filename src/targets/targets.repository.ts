import { Injectable } from '@nestjs/common';
import { Not, type SelectQueryBuilder } from 'typeorm';
import { onConstraint, Transactions } from '../common/database/index.js';
import { CredentialNotFound } from '../credentials/index.js';
import { ExtensionNotFound } from '../registry/index.js';
import type { StoreId } from '../stores/index.js';
import { phasesThat } from './status/phase.js';
import { TargetEntity } from './target.entity.js';
import { TargetStatusEntity, type TargetWithStatus } from './status/target-status.entity.js';
import { DuplicateTarget, ItemEnabledTwice } from './targets.problems.js';

/** The credential may be deleted after it was looked up, and two requests may take the same item at once. */
const CONFLICTS = {
  target_credential_id_fkey: () => new CredentialNotFound(),
  target_extension_id_fkey: () => new ExtensionNotFound(),
  target_extension_id_store_store_item_id_channel_key: () => new DuplicateTarget(),
  target_enabled_item_idx: () => new ItemEnabledTwice(),
};

/** The store's answer about the earlier version says nothing about another one. A takedown of the item does. */
const IS_NEWS = '(desired_version is distinct from $3 and phase <> all($5))';
const LASTING = phasesThat(({ outlastsPins }) => outlastsPins);

/** Where a version goes: to one target, to those of one store, or to all. */
export interface Place {
  /** Null for every store. */
  readonly store: StoreId | null;
  /** Null for every target there. */
  readonly targetId: string | null;
}

/** Targets with their status, as tenants see and change them. */
@Injectable()
export class TargetsRepository {
  constructor(private readonly tx: Transactions) {}

  async findAll(extensionId: string): Promise<TargetWithStatus[]> {
    return (await this.ofExtension(extensionId).orderBy('target.id').getMany()).map(toTargetWithStatus);
  }

  /** Finds the targets of an extension, or those of one store, by id, and locks them until the transaction ends. */
  async findAllForUpdate(extensionId: string, store: StoreId | null): Promise<TargetWithStatus[]> {
    const query = this.ofExtension(extensionId).setLock('pessimistic_write');
    if (store !== null) query.andWhere('target.store = :store', { store });
    return (await query.orderBy('target.id').getMany()).map(toTargetWithStatus);
  }

  async find(extensionId: string, id: string): Promise<TargetWithStatus | null> {
    const row = await this.ofExtension(extensionId).andWhere('target.id = :id', { id }).getOne();
    return row && toTargetWithStatus(row);
  }

  async findForUpdate(extensionId: string, id: string): Promise<TargetWithStatus | null> {
    const query = this.ofExtension(extensionId).andWhere('target.id = :id', { id });
    const row = await query.setLock('pessimistic_write').getOne();
    return row && toTargetWithStatus(row);
  }

  /** Finds a target's settings alone. */
  findSettings(id: string): Promise<TargetEntity | null> {
    return this.targets.findOneBy({ id });
  }

  count(extensionId: string): Promise<number> {
    return this.targets.countBy({ extensionId });
  }

  async insert(targets: readonly TargetWithStatus[]): Promise<void> {
    await onConstraint(() => this.targets.insert([...targets]), CONFLICTS);
    await this.statuses.insert(targets.map(({ id, status }) => ({ ...status, targetId: id })));
  }

  /** Writes the settings and the status of a target that is locked. */
  async update(target: TargetWithStatus): Promise<void> {
    const { id, status } = target;
    await onConstraint(() => this.targets.update({ id }, this.targets.create(target)), CONFLICTS);
    await this.statuses.update({ targetId: id }, status);
  }

  /** Deletes a target with its releases. */
  async delete(id: string): Promise<void> {
    await this.targets.delete({ id });
  }

  /** Makes targets due because a version was pinned. Raw SQL: one statement for any number of targets. */
  async pin(
    extensionId: string,
    { store, targetId, platform }: Place & { readonly platform: string | null },
    version: string,
    now: Date,
  ): Promise<void> {
    await this.tx.query(
      `with pinned as (
         update target set updated_at = greatest($4::timestamptz, updated_at + interval '1 ms')
          where extension_id = $1 and ($2::text is null or store = $2) and ($7::uuid is null or target.id = $7) and ($6::text is null or $6 = any(platforms)) returning id
       )
       update target_status
          set desired_version = $3, failures = 0, checks_in_phase = 0, platform_statuses = '{}',
              waiting_since = case when stall_notified_at is null then waiting_since end, stall_notified_at = null,
              revision = revision + 1,
              phase_since = case when ${IS_NEWS} and phase <> 'queued' then $4 else phase_since end,
              phase = case when ${IS_NEWS} then 'queued' else phase end,
              message = case when ${IS_NEWS} then 'Version ' || $3 || ' is pinned; Pierhead will check the store shortly.' else message end,
              next_check_at = case when next_check_at is null then null else greatest($4, not_before) end
         from pinned where target_id = pinned.id`,
      [extensionId, store, version, now, LASTING, platform, targetId],
    );
  }

  /** Makes the targets due for which a version is pinned. Raw SQL: one statement for any number of targets. */
  async makeDue(extensionId: string, { store, targetId }: Place, version: string, now: Date): Promise<void> {
    await this.tx.query(
      `with changed as (
         update target set updated_at = greatest($4::timestamptz, updated_at + interval '1 ms') from target_status
          where extension_id = $1 and ($2::text is null or store = $2) and ($5::uuid is null or target.id = $5) and target_id = target.id and desired_version = $3 and next_check_at is not null
         returning target.id
       )
       update target_status set checks_in_phase = 0, next_check_at = greatest($4, not_before), revision = revision + 1
         from changed where target_id = changed.id`,
      [extensionId, store, version, now, targetId],
    );
  }

  /** Makes the targets of a credential due at once, whether or not they were waiting. Raw SQL: one statement for any number of targets. */
  async resumeAll(credentialId: string, now: Date): Promise<void> {
    await this.tx.query(
      `update target_status
          set next_check_at = $2, not_before = null, failures = 0, checks_in_phase = 0, platform_statuses = '{}', revision = revision + 1
         from target
        where target.id = target_id and target.credential_id = $1 and next_check_at is not null`,
      [credentialId, now],
    );
  }

  /** Whether another enabled target of the tenant is known to publish to an item. */
  async isItemTaken({ id, tenantId, store }: TargetWithStatus, itemKey: string): Promise<boolean> {
    return tenantId !== null && this.targets.existsBy({ id: Not(id), tenantId, store, itemKey, enabled: true });
  }

  /** Remembers that an item takes only signed packages. Part of the transaction that records its store's refusal. */
  async requireSigned({ id }: TargetWithStatus): Promise<void> {
    await this.targets.update({ id }, { signedUploads: true });
  }

  /**
   * Saves the key of an item, which only the store's answer reveals, unless the target has been pointed at another item since.
   * @throws ItemEnabledTwice; then nothing was written
   */
  async setItemKey({ id, storeItemId }: TargetWithStatus, itemKey: string): Promise<void> {
    await onConstraint(() => this.targets.update({ id, storeItemId: storeItemId ?? '' }, { itemKey }), CONFLICTS);
  }

  private ofExtension(extensionId: string): SelectQueryBuilder<TargetStatusEntity> {
    return joined(this.tx).where('target.extensionId = :extensionId', { extensionId });
  }

  private get targets() {
    return this.tx.repository(TargetEntity);
  }

  private get statuses() {
    return this.tx.repository(TargetStatusEntity);
  }
}

/** Both rows of a target, for reading or for locking them in one order. */
export const joined = (tx: Transactions): SelectQueryBuilder<TargetStatusEntity> =>
  tx.repository(TargetStatusEntity).createQueryBuilder('status').innerJoinAndSelect('status.target', 'target');

export function toTargetWithStatus({ target, ...status }: TargetStatusEntity): TargetWithStatus {
  if (target === undefined) throw new Error('A status is read with its target');
  return { ...target, status };
}
