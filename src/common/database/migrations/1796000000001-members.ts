import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users may belong to several tenants, with a role in each. Each user so far owns the one tenant that they have. */
const UP: readonly string[] = [
  `create table membership (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    tenant_id uuid not null,
    user_id uuid not null,
    role text not null,
    constraint membership_pkey primary key (id),
    constraint membership_user_id_tenant_id_key unique (user_id, tenant_id),
    constraint membership_tenant_id_fkey foreign key (tenant_id) references tenant(id) on delete cascade,
    constraint membership_user_id_fkey foreign key (user_id) references tenant_user(id) on delete cascade
  )`,
  `create index membership_tenant_id_id_idx on membership (tenant_id, id)`,
  `insert into membership (id, created_at, updated_at, tenant_id, user_id, role)
    select id, created_at, created_at, tenant_id, id, 'owner' from tenant_user`,
  // A session has one current tenant of its user, and ends with the membership.
  `alter table session add tenant_id uuid`,
  `update session set tenant_id = u.tenant_id from tenant_user u where u.id = user_id`,
  `alter table session
    alter tenant_id set not null,
    drop constraint session_user_id_fkey,
    add constraint session_user_id_tenant_id_fkey foreign key (user_id, tenant_id)
      references membership(user_id, tenant_id) on delete cascade`,
  // Nobody knows who created the tokens so far: no role limits them.
  `alter table access_token add created_by uuid`,
  `update access_token set created_by = s.user_id from session s where s.id = session_id`,
  `alter table access_token
    add constraint access_token_created_by_tenant_id_fkey foreign key (created_by, tenant_id)
      references membership(user_id, tenant_id) on delete cascade`,
  `create index access_token_created_by_idx on access_token (created_by)`,
  `alter table tenant_user drop tenant_id`,
  `create table invitation (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    tenant_id uuid not null,
    invited_by uuid not null,
    email text not null,
    role text not null,
    secret_digest text not null,
    expires_at timestamptz not null,
    constraint invitation_pkey primary key (id),
    constraint invitation_secret_digest_key unique (secret_digest),
    constraint invitation_tenant_id_email_key unique (tenant_id, email),
    constraint invitation_invited_by_tenant_id_fkey foreign key (invited_by, tenant_id)
      references membership(user_id, tenant_id) on delete cascade
  )`,
  `create index invitation_tenant_id_id_idx on invitation (tenant_id, id)`,
  `create index invitation_invited_by_idx on invitation (invited_by)`,
];

/** Keeps of each user the tenant joined first; users without a tenant, and sessions that look at another one, are lost. */
const DOWN: readonly string[] = [
  `drop table invitation`,
  `alter table tenant_user add tenant_id uuid`,
  `update tenant_user u set tenant_id = m.tenant_id from membership m
    where m.user_id = u.id and not exists (select from membership o where o.user_id = u.id and o.id < m.id)`,
  `delete from tenant_user where tenant_id is null`,
  `alter table tenant_user
    alter tenant_id set not null,
    add constraint tenant_user_tenant_id_fkey foreign key (tenant_id) references tenant(id) on delete cascade`,
  `alter table access_token drop created_by`,
  `delete from session s using tenant_user u where u.id = s.user_id and u.tenant_id <> s.tenant_id`,
  `alter table session
    drop tenant_id,
    add constraint session_user_id_fkey foreign key (user_id) references tenant_user(id) on delete cascade`,
  `drop table membership`,
];

export class Members1796000000001 implements MigrationInterface {
  name = 'Members1796000000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
