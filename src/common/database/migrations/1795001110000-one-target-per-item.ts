import type { MigrationInterface, QueryRunner } from 'typeorm';
import { newId } from '../../fields/index.js';

const GUID = '^\\{?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\}?$';

interface Disabled {
  readonly id: string;
  readonly extension_id: string;
}

/** One enabled target for an item: of several that there are, the one that was made first goes on, and the others are disabled. */
export class OneTargetPerItem1795001110000 implements MigrationInterface {
  readonly name = 'OneTargetPerItem1795001110000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table target add column item_key text');
    await queryRunner.query(`update target set item_key = case
      when store = 'firefox' and (store_item_id ~* '${GUID}' or store_item_id like '%@%') then lower(btrim(store_item_id, '{}'))
      when store = 'edge' then lower(store_item_id)
      else store_item_id end`);
    await this.disableLater(queryRunner);
    await queryRunner.query(
      'create unique index target_enabled_item_idx on target (extension_id, store, item_key) where enabled',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index target_enabled_item_idx');
    await queryRunner.query('alter table target drop column item_key');
  }

  private async disableLater(queryRunner: QueryRunner): Promise<void> {
    const [disabled] = (await queryRunner.query(`update target
        set enabled = false, phase = 'disabled', message = 'The target is disabled; nothing is published to it.',
            next_check_at = null, failures = 0, looks = 0, tracks = '{}', revision = revision + 1, updated_at = now()
      where enabled and exists (select from target earlier
        where earlier.enabled and earlier.extension_id = target.extension_id and earlier.store = target.store
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
          'The target was disabled by an update of Pierhead: an earlier one is enabled for the same item, and one of them at a time may be.',
        ],
      );
  }
}
