import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP: readonly string[] = [
  'alter table purchase add column erased_at timestamptz',
  // Their licenses were deleted by earlier versions, which left the buyers behind.
  `update purchase set erased_at = now(), paid = jsonb_set(paid, '{email}', 'null')
    where issued_at is not null and license_id is null`,
  'create index purchase_erased_idx on purchase (tenant_id, processor, customer_id) where erased_at is not null',
  `delete from payment_customer customer
    where exists (select from purchase where (tenant_id, processor, customer_id) = (customer.tenant_id, customer.processor, customer.customer_id))
      and not exists (select from purchase where erased_at is null
        and (tenant_id, processor, customer_id) = (customer.tenant_id, customer.processor, customer.customer_id))`,
  `update inbox_item set payload = null
    where payload is not null and (
      exists (select from purchase where id = inbox_item.purchase_id and erased_at is not null)
      or purchase_id is null and status = 'ignored' and reason like 'Nothing in it%'
      or purchase_id is null and exists (select from purchase where erased_at is not null
        and tenant_id = inbox_item.tenant_id and processor = inbox_item.processor
        and position('"' || customer_id || '"' in payload) > 0))`,
];

/** Purchases whose buyers are erased with their licenses, and stay erased when their processor tells of them again. */
export class Erasure1795001310001 implements MigrationInterface {
  readonly name = 'Erasure1795001310001';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table purchase drop column erased_at');
  }
}
