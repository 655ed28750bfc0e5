import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users sign in through an OpenID provider, or by a link of the operator, and may have no password. */
const UP: readonly string[] = [
  `alter table tenant_user
    alter password_hash drop not null,
    add email_verified_at timestamptz`,
  `create table user_identity (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    user_id uuid not null,
    issuer text not null,
    subject text not null,
    constraint user_identity_pkey primary key (id),
    constraint user_identity_issuer_subject_key unique (issuer, subject),
    constraint user_identity_user_id_issuer_key unique (user_id, issuer),
    constraint user_identity_user_id_fkey foreign key (user_id) references tenant_user(id) on delete cascade
  )`,
  `create table login_link (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    user_id uuid not null,
    secret_digest text not null,
    expires_at timestamptz not null,
    constraint login_link_pkey primary key (id),
    constraint login_link_secret_digest_key unique (secret_digest),
    constraint login_link_user_id_fkey foreign key (user_id) references tenant_user(id) on delete cascade
  )`,
  `create index login_link_user_id_idx on login_link (user_id)`,
  // A person who signs in through the provider is found among the invited.
  `create index invitation_email_idx on invitation (email)`,
  `create table operator_setting (
    name text not null,
    created_at timestamptz not null,
    constraint operator_setting_pkey primary key (name)
  )`,
];

/** A hash that no password has, for users without one: the column becomes required again. */
const NO_PASSWORD = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

const DOWN: readonly string[] = [
  `drop table operator_setting`,
  `drop index invitation_email_idx`,
  `drop table login_link`,
  `drop table user_identity`,
  `update tenant_user set password_hash = '${NO_PASSWORD}' where password_hash is null`,
  `alter table tenant_user
    drop email_verified_at,
    alter password_hash set not null`,
];

export class SignIn1796000000003 implements MigrationInterface {
  name = 'SignIn1796000000003';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
