import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Answers of requests with an `Idempotency-Key`. */
export class IdempotentAnswers1796800000000 implements Migration {
  readonly name = 'IdempotentAnswers1796800000000';
  readonly oldestVersion = '1.0.0';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `create table idempotent_answer (
         id uuid not null constraint idempotent_answer_pkey primary key,
         created_at timestamptz not null,
         updated_at timestamptz not null,
         tenant_id uuid not null constraint idempotent_answer_tenant_id_fkey references tenant (id) on delete cascade,
         request text not null constraint idempotent_answer_request_key unique,
         body text not null,
         answered_at timestamptz,
         sealed text
       )`,
    );
    await runner.query('create index idempotent_answer_tenant_id_idx on idempotent_answer (tenant_id)');
    await runner.query('create index idempotent_answer_created_at_idx on idempotent_answer (created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table idempotent_answer');
  }
}
