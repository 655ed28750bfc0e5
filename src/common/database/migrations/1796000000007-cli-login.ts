import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Programs at a shell log in by approval in a browser, and their sessions have a name. */
const UP: readonly string[] = [
  `alter table session add name text`,
  `create table cli_login (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    device_code_digest text not null,
    user_code_digest text not null,
    name text,
    expires_at timestamptz not null,
    session_id uuid,
    denied_at timestamptz,
    constraint cli_login_pkey primary key (id),
    constraint cli_login_device_code_digest_key unique (device_code_digest),
    constraint cli_login_user_code_digest_key unique (user_code_digest),
    constraint cli_login_session_id_fkey foreign key (session_id) references session(id) on delete cascade
  )`,
  `create index cli_login_session_id_idx on cli_login (session_id)`,
  `create index cli_login_expires_at_idx on cli_login (expires_at)`,
];

const DOWN: readonly string[] = [`drop table cli_login`, `alter table session drop name`];

export class CliLogin1796000000007 implements MigrationInterface {
  name = 'CliLogin1796000000007';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
