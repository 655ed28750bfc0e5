import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP: readonly string[] = [
  `create table mail (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    purpose text not null,
    about_id uuid not null,
    state text not null,
    sealed text,
    worthless_at timestamptz,
    attempts integer not null,
    first_tried_at timestamptz,
    next_try_at timestamptz,
    last_status integer,
    last_error text,
    lease_token uuid,
    lease_until timestamptz,
    constraint mail_pkey primary key (id)
  )`,
  `create index mail_due_idx on mail (next_try_at) where next_try_at is not null`,
  `create index mail_purpose_about_id_idx on mail (purpose, about_id)`,
  `create table notification_endpoint (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    tenant_id uuid not null,
    kind text not null,
    url text,
    address text,
    events text[] not null,
    enabled boolean not null,
    disabled_because text,
    sealed text,
    former_until timestamptz,
    constraint notification_endpoint_pkey primary key (id),
    constraint notification_endpoint_tenant_id_fkey foreign key (tenant_id) references tenant(id) on delete cascade
  )`,
  `create index notification_endpoint_tenant_id_id_idx on notification_endpoint (tenant_id, id)`,
  `create table notification (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    tenant_id uuid not null,
    kind text not null,
    message text not null,
    extension_id uuid,
    extension_name text,
    target_id uuid,
    version text,
    credential_id uuid,
    once_key text,
    constraint notification_once_key_key unique (once_key),
    constraint notification_pkey primary key (id),
    constraint notification_tenant_id_fkey foreign key (tenant_id) references tenant(id) on delete cascade
  )`,
  `create index notification_target_id_id_idx on notification (target_id, id)`,
  `create index notification_tenant_id_id_idx on notification (tenant_id, id)`,
  `create table notification_delivery (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    tenant_id uuid not null,
    endpoint_id uuid not null,
    notification_id uuid not null,
    status text not null,
    attempts integer not null,
    failures integer not null,
    tried_since timestamptz,
    last_tried_at timestamptz,
    last_status integer,
    last_error text,
    next_try_at timestamptz,
    delivered_at timestamptz,
    lease_token uuid,
    lease_until timestamptz,
    constraint notification_delivery_pkey primary key (id),
    constraint notification_delivery_tenant_id_fkey foreign key (tenant_id) references tenant(id) on delete cascade,
    constraint notification_delivery_endpoint_id_fkey foreign key (endpoint_id)
      references notification_endpoint(id) on delete cascade,
    constraint notification_delivery_notification_id_fkey foreign key (notification_id)
      references notification(id) on delete cascade
  )`,
  `create index notification_delivery_due_idx on notification_delivery (next_try_at) where next_try_at is not null`,
  `create index notification_delivery_endpoint_id_idx on notification_delivery (endpoint_id)`,
  `create index notification_delivery_notification_id_idx on notification_delivery (notification_id)`,
  `create index notification_delivery_tenant_id_id_idx on notification_delivery (tenant_id, id)`,
];

const TABLES = ['notification_delivery', 'notification', 'notification_endpoint', 'mail'];

/** The outbox, and what tenants are told by webhooks and mail. */
export class MailAndNotifications1795000300000 implements MigrationInterface {
  readonly name = 'MailAndNotifications1795000300000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`drop table ${TABLES.join(', ')}`);
  }
}
