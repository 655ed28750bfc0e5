import type { MigrationInterface, QueryRunner } from 'typeorm';
import { newId } from '../../fields/index.js';

interface Disabled {
  readonly id: string;
  readonly extension_id: string;
}

const BEFORE = ['live', 'rejected', 'action_required', 'credential_failing', 'credential_expiring', 'taken_down'];

/**
 * Throttles of a store by the kind of call, targets that make no progress, notes for reviewers, and one enabled target for an item over all
 * extensions of a tenant: of several that there are, the one that was made first goes on, and the others are disabled.
 */
export class PublishingDetails1795001340000 implements MigrationInterface {
  readonly name = 'PublishingDetails1795001340000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'alter table store_budget add column uploads_not_before timestamptz, add column writes_not_before timestamptz',
    );
    await queryRunner.query('alter table artifact add column reviewer_notes text');
    await queryRunner.query(`alter table target add column reviewer_notes text, add column tenant_id uuid,
      add column waiting_since timestamptz, add column stall_told_at timestamptz`);
    await queryRunner.query(
      'update target set tenant_id = extension.tenant_id from extension where extension.id = target.extension_id',
    );
    await this.disableLater(queryRunner);
    await queryRunner.query('drop index target_enabled_item_idx');
    await queryRunner.query(
      'create unique index target_enabled_item_idx on target (tenant_id, store, item_key) where enabled',
    );
    // An endpoint that hears of everything goes on hearing of everything.
    await queryRunner.query(
      `update notification_endpoint set events = array_append(events, 'stalled') where events @> $1::text[]`,
      [[...BEFORE, 'stuck_in_review']],
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`update notification_endpoint set events = array_remove(events, 'stalled')`);
    await queryRunner.query(`delete from notification where kind = 'stalled'`);
    await queryRunner.query('drop index target_enabled_item_idx');
    await queryRunner.query(
      'create unique index target_enabled_item_idx on target (extension_id, store, item_key) where enabled',
    );
    await queryRunner.query(`alter table target drop column reviewer_notes, drop column tenant_id,
      drop column waiting_since, drop column stall_told_at`);
    await queryRunner.query('alter table artifact drop column reviewer_notes');
    await queryRunner.query('alter table store_budget drop column uploads_not_before, drop column writes_not_before');
  }

  private async disableLater(queryRunner: QueryRunner): Promise<void> {
    const [disabled] = (await queryRunner.query(`update target
        set enabled = false, phase = 'disabled', message = 'The target is disabled; nothing is published to it.',
            next_check_at = null, failures = 0, looks = 0, tracks = '{}', revision = revision + 1, updated_at = now()
      where enabled and exists (select from target earlier
        where earlier.enabled and earlier.tenant_id = target.tenant_id and earlier.store = target.store
          and earlier.item_key = target.item_key and (earlier.created_at, earlier.id) < (target.created_at, target.id))
      returning id, extension_id`)) as [readonly Disabled[], number];
    for (const { id, extension_id: extensionId } of disabled)
      await queryRunner.query(
        `insert into event (id, extension_id, at, target_id, kind, message, data)
          values ($1, $2, now(), $3, 'target_changed', $4, '{"enabled": false}')`,
        [
          newId(),
          extensionId,
          id,
          'An update of Pierhead disabled the target: a target of another extension is enabled for the same item, and only one of them can publish it.',
        ],
      );
  }
}
