import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What share of the users a store was last told to offer a version to. */
export class Rollouts1795000800000 implements MigrationInterface {
  readonly name = 'Rollouts1795000800000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table release add column rollout jsonb');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table release drop column rollout');
  }
}
