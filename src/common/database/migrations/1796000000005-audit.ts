import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The audit log, which the database itself keeps from being changed. */
const UP: readonly string[] = [
  `create table audit_entry (
    id uuid not null,
    tenant_id uuid not null,
    at timestamptz not null,
    actor_kind text not null,
    actor_id text not null,
    actor_name text not null,
    actor_role text,
    session_id uuid,
    address text,
    country text,
    action text not null,
    subject_type text not null,
    subject_id uuid not null,
    subject_name text,
    extension_id uuid,
    before jsonb,
    after jsonb,
    request_id uuid,
    constraint audit_entry_pkey primary key (id)
  )`,
  `create index audit_entry_tenant_id_id_idx on audit_entry (tenant_id, id)`,
  `create index audit_entry_tenant_id_actor_id_id_idx on audit_entry (tenant_id, actor_id, id)`,
  `create index audit_entry_tenant_id_action_id_idx on audit_entry (tenant_id, action, id)`,
  `create index audit_entry_tenant_id_subject_type_id_idx on audit_entry (tenant_id, subject_type, id)`,
  `create index audit_entry_tenant_id_subject_id_id_idx on audit_entry (tenant_id, subject_id, id)`,
  `create index audit_entry_tenant_id_extension_id_id_idx on audit_entry (tenant_id, extension_id, id) where extension_id is not null`,
  // Only a transaction that names what it deletes may delete: entries older than a time, or those of one tenant.
  `create function audit_entry_stays() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' then
      if old.at < nullif(current_setting('pierhead.audit_kept_from', true), '')::timestamptz
        or old.tenant_id = nullif(current_setting('pierhead.audit_left_by', true), '')::uuid
      then
        return old;
      end if;
    end if;
    raise exception 'Entries of the audit log are neither changed nor deleted' using errcode = 'insufficient_privilege';
  end
  $$`,
  `create trigger audit_entry_stays before update or delete on audit_entry for each row execute function audit_entry_stays()`,
  `create trigger audit_entry_stays_whole before truncate on audit_entry for each statement execute function audit_entry_stays()`,
];

export class Audit1796000000005 implements MigrationInterface {
  name = 'Audit1796000000005';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table audit_entry');
    await runner.query('drop function audit_entry_stays');
  }
}
