import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What people need to look after their accounts. */
const UP: readonly string[] = [
  // Sessions so far show where they are used from their next use on.
  `alter table session add last_seen_at timestamptz, add device text, add country text`,
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
];

const DOWN: readonly string[] = [
  `drop table password_reset`,
  `create index session_user_id_idx on session (user_id)`,
  `drop index session_user_id_id_idx`,
  `alter table session drop last_seen_at, drop device, drop country`,
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
