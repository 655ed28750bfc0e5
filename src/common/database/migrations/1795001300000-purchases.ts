import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP: readonly string[] = [
  'alter table license add column revoked_for text',
  // Until now a refund and a lost dispute were as final as the tenant's own word, and only the purchase remembers them.
  `update license set revoked_for = coalesce((
      select case when bool_or((paid->>'isRefunded')::boolean) then 'refund'
                  when bool_or((paid->>'isDisputeLost')::boolean) then 'dispute' end
        from purchase where purchase.license_id = license.id
    ), 'tenant')
    where revoked_at is not null`,
  `alter table plan_product add column per_unit text not null default 'seats'`,
  'alter table purchase add column unmapped text',
  `create table purchase_license (
    purchase_id uuid not null,
    position integer not null,
    plan_id uuid,
    units integer not null,
    license_id uuid,
    ended_at timestamptz,
    constraint purchase_license_pkey primary key (purchase_id, position),
    constraint purchase_license_purchase_id_fkey foreign key (purchase_id) references purchase(id) on delete cascade,
    constraint purchase_license_license_id_fkey foreign key (license_id) references license(id) on delete set null
  )`,
  'create index purchase_license_license_id_idx on purchase_license (license_id)',
  `insert into purchase_license (purchase_id, position, plan_id, units, license_id)
    select purchase.id, 1, license.plan_id, 1, license.id
      from purchase left join license on license.id = purchase.license_id
      where purchase.issued_at is not null`,
];

const DOWN: readonly string[] = [
  'drop table purchase_license',
  'alter table purchase drop column unmapped',
  'alter table plan_product drop column per_unit',
  'alter table license drop column revoked_for',
];

/** Several licenses of one purchase, what a product's quantity buys, and what revoked a license, so that a tenant may overrule a payment. */
export class Purchases1795001300000 implements MigrationInterface {
  readonly name = 'Purchases1795001300000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}
