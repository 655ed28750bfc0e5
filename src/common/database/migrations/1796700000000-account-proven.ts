import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** Whether a store has shown that credentials are the account's. Those from before count as proven. */
export class AccountProven1796700000000 implements Migration {
  readonly name = 'AccountProven1796700000000';
  readonly oldestVersion = '1.0.0';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table credential add account_proven boolean not null default true');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table credential drop account_proven');
  }
}
