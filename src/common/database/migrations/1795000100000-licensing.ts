import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP: readonly string[] = [
  `create table plan (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    extension_id uuid not null,
    tier text not null,
    max_activations integer not null,
    constraint plan_extension_id_tier_key unique (extension_id, tier),
    constraint plan_pkey primary key (id),
    constraint plan_extension_id_fkey foreign key (extension_id) references extension(id) on delete cascade
  )`,
  `create table plan_product (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    tenant_id uuid not null,
    plan_id uuid not null,
    processor text not null,
    product_id text not null,
    position integer not null,
    constraint plan_product_tenant_id_processor_product_id_key unique (tenant_id, processor, product_id),
    constraint plan_product_pkey primary key (id),
    constraint plan_product_plan_id_fkey foreign key (plan_id) references plan(id) on delete cascade
  )`,
  `create index plan_product_plan_id_idx on plan_product (plan_id)`,
  `create table license (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    tenant_id uuid not null,
    extension_id uuid not null,
    plan_id uuid not null,
    buyer_email text not null,
    code_digest bytea not null,
    code_pepper text not null,
    code_hint text not null,
    source text not null,
    revoked_at timestamptz,
    suspended_for text[] not null,
    expires_at timestamptz,
    max_activations integer,
    constraint license_code_digest_key unique (code_digest),
    constraint license_pkey primary key (id),
    constraint license_tenant_id_fkey foreign key (tenant_id) references tenant(id) on delete cascade,
    constraint license_extension_id_fkey foreign key (extension_id) references extension(id) on delete restrict,
    constraint license_plan_id_fkey foreign key (plan_id) references plan(id) on delete restrict
  )`,
  `create index license_tenant_id_id_idx on license (tenant_id, id)`,
  `create index license_tenant_id_buyer_email_idx on license (tenant_id, buyer_email)`,
  `create unique index license_tenant_id_source_key on license (tenant_id, source) where source <> 'manual'`,
  `create index license_extension_id_id_idx on license (extension_id, id)`,
  `create index license_plan_id_idx on license (plan_id)`,
  // Room on each page, so that a heartbeat's new version of a row lies beside the old one and no index is written.
  `create table seat (
    id uuid not null,
    license_id uuid not null,
    fingerprint_digest bytea not null,
    label text,
    first_seen_at timestamptz not null,
    last_seen_at timestamptz not null,
    ended_at timestamptz,
    constraint seat_license_id_fingerprint_digest_key unique (license_id, fingerprint_digest),
    constraint seat_pkey primary key (id),
    constraint seat_license_id_fkey foreign key (license_id) references license(id) on delete cascade
  ) with (fillfactor = 90)`,
  `create index seat_live_idx on seat (license_id) where ended_at is null`,
  `create table lease_key (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    extension_id uuid not null,
    state text not null,
    public_key text not null,
    sealed text not null,
    constraint lease_key_extension_id_state_key unique (extension_id, state),
    constraint lease_key_pkey primary key (id),
    constraint lease_key_extension_id_fkey foreign key (extension_id) references extension(id) on delete cascade
  )`,
];

const TABLES = ['lease_key', 'seat', 'license', 'plan_product', 'plan'];

/** Plans with what they are sold as, licenses, seats, and the keys that sign leases. */
export class Licensing1795000100000 implements MigrationInterface {
  readonly name = 'Licensing1795000100000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`drop table ${TABLES.join(', ')}`);
  }
}
