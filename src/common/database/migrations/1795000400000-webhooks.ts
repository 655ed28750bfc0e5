import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP: readonly string[] = [
  `create table purchase (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    tenant_id uuid not null,
    processor text not null,
    paid jsonb not null,
    customer_id text,
    issued_at timestamptz,
    license_id uuid,
    constraint purchase_pkey primary key (id),
    constraint purchase_tenant_id_fkey foreign key (tenant_id) references tenant(id) on delete cascade,
    constraint purchase_license_id_fkey foreign key (license_id) references license(id) on delete set null
  )`,
  `create index purchase_tenant_id_processor_customer_id_idx on purchase (tenant_id, processor, customer_id)`,
  `create index purchase_license_id_idx on purchase (license_id)`,
  `create table purchase_ref (
    tenant_id uuid not null,
    processor text not null,
    ref text not null,
    purchase_id uuid not null,
    constraint purchase_ref_pkey primary key (tenant_id, processor, ref),
    constraint purchase_ref_purchase_id_fkey foreign key (purchase_id) references purchase(id) on delete cascade
  )`,
  `create index purchase_ref_purchase_id_idx on purchase_ref (purchase_id)`,
  `create table payment_customer (
    tenant_id uuid not null,
    processor text not null,
    customer_id text not null,
    email text not null,
    said_at timestamptz not null,
    constraint payment_customer_pkey primary key (tenant_id, processor, customer_id),
    constraint payment_customer_tenant_id_fkey foreign key (tenant_id) references tenant(id) on delete cascade
  )`,
  `create table inbox_item (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    tenant_id uuid not null,
    processor text not null,
    event_key text not null,
    kind text not null,
    happened_at timestamptz not null,
    is_test boolean not null,
    status text not null,
    reason text,
    payload text,
    purchase_id uuid,
    constraint inbox_item_tenant_id_processor_event_key_key unique (tenant_id, processor, event_key),
    constraint inbox_item_pkey primary key (id),
    constraint inbox_item_tenant_id_fkey foreign key (tenant_id) references tenant(id) on delete cascade,
    constraint inbox_item_purchase_id_fkey foreign key (purchase_id) references purchase(id) on delete set null
  )`,
  `create index inbox_item_tenant_id_id_idx on inbox_item (tenant_id, id)`,
  `create index inbox_item_purchase_id_idx on inbox_item (purchase_id)`,
  `create index inbox_item_created_at_idx on inbox_item (created_at)`,
];

const TABLES = ['inbox_item', 'payment_customer', 'purchase_ref', 'purchase'];

/** What payment processors have said: notifications, purchases under all their names, and customers. */
export class Webhooks1795000400000 implements MigrationInterface {
  readonly name = 'Webhooks1795000400000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`drop table ${TABLES.join(', ')}`);
  }
}
