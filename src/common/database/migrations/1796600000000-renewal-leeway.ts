import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/** How long licenses of subscriptions wait for their renewal. Those from before get it when something about their end is due. */
export class RenewalLeeway1796600000000 implements Migration {
  readonly name = 'RenewalLeeway1796600000000';
  readonly oldestVersion = '1.0.0';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['license', 'plan'])
      await runner.query(`alter table ${table} add renewal_leeway_hours integer`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['license', 'plan']) await runner.query(`alter table ${table} drop renewal_leeway_hours`);
  }
}
