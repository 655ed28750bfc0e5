import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP: readonly string[] = [
  `create table tenant (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    name text not null,
    plan text not null,
    constraint tenant_pkey primary key (id)
  )`,
  `create table tenant_user (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    tenant_id uuid not null,
    email text not null,
    password_hash text not null,
    constraint tenant_user_email_key unique (email),
    constraint tenant_user_pkey primary key (id),
    constraint tenant_user_tenant_id_fkey foreign key (tenant_id) references tenant(id) on delete cascade
  )`,
  `create table session (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    user_id uuid not null,
    secret_hash text not null,
    expires_at timestamptz not null,
    constraint session_secret_hash_key unique (secret_hash),
    constraint session_pkey primary key (id),
    constraint session_user_id_fkey foreign key (user_id) references tenant_user(id) on delete cascade
  )`,
  `create index session_user_id_idx on session (user_id)`,
  `create table access_token (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    tenant_id uuid not null,
    session_id uuid,
    name text not null,
    scopes text[] not null,
    last_four text not null,
    expires_at timestamptz,
    last_used_at timestamptz,
    constraint access_token_pkey primary key (id),
    constraint access_token_tenant_id_fkey foreign key (tenant_id) references tenant(id) on delete cascade,
    constraint access_token_session_id_fkey foreign key (session_id) references session(id) on delete cascade
  )`,
  `create index access_token_session_id_idx on access_token (session_id)`,
  `create index access_token_tenant_id_id_idx on access_token (tenant_id, id)`,
  `create table extension (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    tenant_id uuid not null,
    name text not null,
    name_key text not null,
    licensing_enabled boolean not null,
    seat_idle_days integer,
    offline_grace_days integer not null,
    analytics_enabled boolean not null,
    constraint extension_tenant_id_name_key_key unique (tenant_id, name_key),
    constraint extension_pkey primary key (id),
    constraint extension_tenant_id_fkey foreign key (tenant_id) references tenant(id) on delete cascade
  )`,
  `create index extension_tenant_id_id_idx on extension (tenant_id, id)`,
  `create table event (
    id uuid not null,
    extension_id uuid not null,
    at timestamptz not null,
    target_id uuid,
    version text,
    kind text not null,
    message text not null,
    data jsonb,
    constraint event_pkey primary key (id),
    constraint event_extension_id_fkey foreign key (extension_id) references extension(id) on delete cascade
  )`,
  `create index event_extension_id_id_idx on event (extension_id, id)`,
  `create table credential (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    tenant_id uuid not null,
    store text not null,
    label text,
    expires_at timestamptz,
    last_four text not null,
    verified_at timestamptz not null,
    identity text not null,
    sealed text not null,
    constraint credential_pkey primary key (id),
    constraint credential_tenant_id_fkey foreign key (tenant_id) references tenant(id) on delete cascade
  )`,
  `create index credential_tenant_id_id_idx on credential (tenant_id, id)`,
  `create table target (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    extension_id uuid not null,
    store text not null,
    store_item_id text,
    crx_id text,
    credential_id uuid,
    enabled boolean not null,
    enabled_at timestamptz,
    platforms text[] not null,
    on_pending text not null,
    phase text not null,
    message text not null,
    desired_version text,
    live_version text,
    submitted_version text,
    checked_at timestamptz,
    next_check_at timestamptz,
    not_before timestamptz,
    failures integer not null,
    looks integer not null,
    lease_token uuid,
    lease_until timestamptz,
    lease_boot uuid,
    constraint target_pkey primary key (id),
    constraint target_extension_id_fkey foreign key (extension_id) references extension(id) on delete cascade,
    constraint target_credential_id_fkey foreign key (credential_id) references credential(id) on delete restrict
  )`,
  `create index target_due_idx on target (next_check_at) where next_check_at is not null`,
  `create index target_credential_id_idx on target (credential_id)`,
  `create index target_extension_id_idx on target (extension_id)`,
  `create table blob (
    id uuid not null,
    sha256 text not null,
    key text not null,
    constraint blob_sha256_key unique (sha256),
    constraint blob_pkey primary key (id)
  )`,
  `create table artifact (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    extension_id uuid not null,
    version text not null,
    store_version text not null,
    scope text not null,
    blob_id uuid,
    sha256 text,
    size integer,
    manifest jsonb,
    notes text,
    pinned_at timestamptz not null,
    handed_over_at timestamptz,
    constraint artifact_extension_id_version_scope_key unique (extension_id, version, scope),
    constraint artifact_pkey primary key (id),
    constraint artifact_extension_id_fkey foreign key (extension_id) references extension(id) on delete cascade,
    constraint artifact_blob_id_fkey foreign key (blob_id) references blob(id) on delete restrict
  )`,
  `create index artifact_blob_id_idx on artifact (blob_id)`,
  `create index artifact_extension_id_pinned_at_idx on artifact (extension_id, pinned_at)`,
  `create table release (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    extension_id uuid not null,
    target_id uuid not null,
    artifact_id uuid not null,
    store_item_id text not null,
    version text not null,
    state text not null,
    state_at timestamptz not null,
    is_ours boolean not null,
    verdict_before text,
    handles jsonb not null,
    intent jsonb,
    constraint release_pkey primary key (id),
    constraint release_target_id_fkey foreign key (target_id) references target(id) on delete cascade,
    constraint release_artifact_id_fkey foreign key (artifact_id) references artifact(id) on delete cascade
  )`,
  `create index release_artifact_id_idx on release (artifact_id)`,
  `create index release_extension_id_id_idx on release (extension_id, id)`,
  `create index release_target_id_id_idx on release (target_id, id)`,
  `create table store_budget (
    credential_id uuid not null,
    window_at timestamptz not null,
    used integer not null,
    constraint store_budget_pkey primary key (credential_id),
    constraint store_budget_credential_id_fkey foreign key (credential_id) references credential(id) on delete cascade
  )`,
];

const TABLES = [
  'store_budget',
  'release',
  'artifact',
  'blob',
  'target',
  'credential',
  'event',
  'extension',
  'access_token',
  'session',
  'tenant_user',
  'tenant',
];

/** Tenants, extensions with their timelines, credentials, targets, packages and releases. */
export class InitialSchema1795000000000 implements MigrationInterface {
  readonly name = 'InitialSchema1795000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`drop table ${TABLES.join(', ')}`);
  }
}
