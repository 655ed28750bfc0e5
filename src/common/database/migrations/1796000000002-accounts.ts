import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What people need to look after their accounts. */
const UP: readonly string[] = [
  // Sessions so far show where they are used from their next use on.
  `alter table session add last_seen_at timestamptz, add device text, add country text,
    add second_factor_at timestamptz`,
  `create index session_user_id_id_idx on session (user_id, id)`,
  `drop index session_user_id_idx`,
  `create table password_reset (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    user_id uuid not null,
    secret_digest text not null,
    expires_at timestamptz not null,
    constraint password_reset_pkey primary key (id),
    constraint password_reset_user_id_key unique (user_id),
    constraint password_reset_secret_digest_key unique (secret_digest),
    constraint password_reset_user_id_fkey foreign key (user_id) references tenant_user(id) on delete cascade
  )`,
  `create table second_factor (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    user_id uuid not null,
    sealed text not null,
    confirmed_at timestamptz,
    last_step integer not null,
    constraint second_factor_pkey primary key (id),
    constraint second_factor_user_id_key unique (user_id),
    constraint second_factor_user_id_fkey foreign key (user_id) references tenant_user(id) on delete cascade
  )`,
  `create table recovery_code (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    second_factor_id uuid not null,
    digest text not null,
    constraint recovery_code_pkey primary key (id),
    constraint recovery_code_second_factor_id_digest_key unique (second_factor_id, digest),
    constraint recovery_code_second_factor_id_fkey foreign key (second_factor_id) references second_factor(id) on delete cascade
  )`,
];

const DOWN: readonly string[] = [
  `drop table recovery_code`,
  `drop table second_factor`,
  `drop table password_reset`,
  `create index session_user_id_idx on session (user_id)`,
  `drop index session_user_id_id_idx`,
  `alter table session drop last_seen_at, drop device, drop country, drop second_factor_at`,
];

export class Accounts1796000000002 implements MigrationInterface {
  name = 'Accounts1796000000002';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
