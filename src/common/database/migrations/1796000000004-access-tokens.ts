import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tokens can be restricted to extensions, say who used them last, and be given to runs of CI services by trust rules. */
const UP: readonly string[] = [
  `create table ci_trust_rule (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    tenant_id uuid not null,
    name text not null,
    issuer text not null,
    repository text not null,
    repository_id text,
    owner_id text,
    ref text,
    environment text,
    extension_ids uuid[],
    scopes text[] not null,
    last_used_at timestamptz,
    constraint ci_trust_rule_pkey primary key (id),
    constraint ci_trust_rule_tenant_id_fkey foreign key (tenant_id) references tenant(id) on delete cascade
  )`,
  `create index ci_trust_rule_tenant_id_issuer_repository_idx on ci_trust_rule (tenant_id, issuer, repository)`,
  `create index ci_trust_rule_tenant_id_id_idx on ci_trust_rule (tenant_id, id)`,
  `create table exchanged_ci_token (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    digest bytea not null,
    expires_at timestamptz not null,
    constraint exchanged_ci_token_pkey primary key (id),
    constraint exchanged_ci_token_digest_key unique (digest)
  )`,
  `create index exchanged_ci_token_expires_at_idx on exchanged_ci_token (expires_at)`,
  `alter table access_token
    add extension_ids uuid[],
    add last_used_address text,
    add last_used_client text,
    add trust_rule_id uuid,
    add constraint access_token_trust_rule_id_fkey foreign key (trust_rule_id) references ci_trust_rule(id) on delete cascade`,
  `create index access_token_trust_rule_id_idx on access_token (trust_rule_id)`,
  `create index access_token_expires_at_idx on access_token (expires_at)
    where session_id is null and trust_rule_id is null`,
  // Endpoints that receive everything so far receive the new kind too.
  `update notification_endpoint set events = events || '{access_token_expiring}'
    where events @> '{live,rejected,action_required,credential_failing,credential_expiring,taken_down,stuck_in_review,stalled,payment_on_ended_license}'`,
];

const DOWN: readonly string[] = [
  `update notification_endpoint set events = array_remove(events, 'access_token_expiring')`,
  `drop index access_token_expires_at_idx`,
  `delete from access_token where trust_rule_id is not null or extension_ids is not null`,
  `alter table access_token
    drop extension_ids,
    drop last_used_address,
    drop last_used_client,
    drop trust_rule_id`,
  `drop table exchanged_ci_token`,
  `drop table ci_trust_rule`,
];

export class AccessTokens1796000000004 implements MigrationInterface {
  name = 'AccessTokens1796000000004';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
