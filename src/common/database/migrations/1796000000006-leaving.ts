import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tenants take everything with them, and go. */
const UP: readonly string[] = [
  `create table tenant_export (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    tenant_id uuid not null,
    requested_by text not null,
    state text not null,
    attempts integer not null,
    due_at timestamptz,
    expires_at timestamptz not null,
    size bigint,
    sha256 text,
    lease_token uuid,
    lease_until timestamptz,
    constraint tenant_export_pkey primary key (id),
    constraint tenant_export_tenant_id_fkey foreign key (tenant_id) references tenant(id) on delete cascade
  )`,
  `create unique index tenant_export_pending_key on tenant_export (tenant_id) where (state = 'pending')`,
  `create index tenant_export_due_idx on tenant_export (due_at) where (due_at is not null)`,
  `create index tenant_export_expires_at_idx on tenant_export (expires_at)`,
  `create index tenant_export_tenant_id_id_idx on tenant_export (tenant_id, id)`,
  `create table tenant_deletion (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    tenant_id uuid not null,
    requested_by text not null,
    due_at timestamptz not null,
    lease_token uuid,
    lease_until timestamptz,
    constraint tenant_deletion_pkey primary key (id),
    constraint tenant_deletion_tenant_id_key unique (tenant_id),
    constraint tenant_deletion_tenant_id_fkey foreign key (tenant_id) references tenant(id) on delete cascade
  )`,
  `create index tenant_deletion_due_at_idx on tenant_deletion (due_at)`,
  `create index mail_tenant_id_idx on mail (tenant_id)`,
];

const DOWN: readonly string[] = [
  `drop index mail_tenant_id_idx`,
  `drop table tenant_deletion`,
  `drop table tenant_export`,
];

export class Leaving1796000000006 implements MigrationInterface {
  name = 'Leaving1796000000006';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
