import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What people need to look after their accounts. */
const UP: readonly string[] = [
  // Sessions so far show where they are used from their next use on.
  `alter table session add last_seen_at timestamptz, add device text, add country text`,
  `create index session_user_id_id_idx on session (user_id, id)`,
  `drop index session_user_id_idx`,
];

const DOWN: readonly string[] = [
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
