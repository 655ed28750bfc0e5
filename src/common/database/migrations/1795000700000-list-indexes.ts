import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP: readonly string[] = [
  // Licenses by how they stand. What has neither been revoked nor suspended is told apart by its end, which this index alone knows.
  `create index license_standing_idx on license (tenant_id, id, extension_id, expires_at)
    where revoked_at is null and suspended_for = '{}'`,
  `create index license_revoked_idx on license (tenant_id, id) where revoked_at is not null`,
  `create index license_suspended_idx on license (tenant_id, id) where revoked_at is null and suspended_for <> '{}'`,
  `create index license_tenant_id_buyer_email_id_idx on license (tenant_id, buyer_email, id)`,
  `create index license_buyer_email_id_idx on license (buyer_email, id)`,
  `drop index license_tenant_id_buyer_email_idx, license_buyer_email_idx`,
  `create index release_extension_id_version_id_idx on release (extension_id, version, id)`,
  `create index inbox_item_tenant_id_status_id_idx on inbox_item (tenant_id, status, id)`,
  `create index notification_delivery_tenant_id_status_id_idx on notification_delivery (tenant_id, status, id)`,
  // What waits for an endpoint, and which endpoints are being delivered to right now.
  `create index notification_delivery_endpoint_id_status_idx on notification_delivery (endpoint_id, status)`,
  `drop index notification_delivery_endpoint_id_idx`,
  `create index notification_delivery_leased_idx on notification_delivery (endpoint_id) where lease_until is not null`,
  // Both are asked for at every round of the postman.
  `create index mail_worthless_idx on mail (worthless_at) where state = 'waiting'`,
  `create index mail_settled_idx on mail (updated_at) where state <> 'waiting'`,
];

const DOWN: readonly string[] = [
  `drop index mail_settled_idx, mail_worthless_idx, notification_delivery_leased_idx`,
  `create index notification_delivery_endpoint_id_idx on notification_delivery (endpoint_id)`,
  `drop index notification_delivery_endpoint_id_status_idx, notification_delivery_tenant_id_status_id_idx`,
  `drop index inbox_item_tenant_id_status_id_idx, release_extension_id_version_id_idx`,
  `create index license_tenant_id_buyer_email_idx on license (tenant_id, buyer_email)`,
  `create index license_buyer_email_idx on license (buyer_email)`,
  `drop index license_buyer_email_id_idx, license_tenant_id_buyer_email_id_idx`,
  `drop index license_suspended_idx, license_revoked_idx, license_standing_idx`,
];

/** What each list and each regular look needs at a million rows; docs/sql.md has their plans. */
export class ListIndexes1795000700000 implements MigrationInterface {
  readonly name = 'ListIndexes1795000700000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}
