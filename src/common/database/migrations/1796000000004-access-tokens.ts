import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tokens can be restricted to extensions, and say who used them last. */
const UP: readonly string[] = [
  `alter table access_token
    add extension_ids uuid[],
    add last_used_address text,
    add last_used_client text`,
];

const DOWN: readonly string[] = [
  `delete from access_token where extension_ids is not null`,
  `alter table access_token
    drop extension_ids,
    drop last_used_address,
    drop last_used_client`,
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
