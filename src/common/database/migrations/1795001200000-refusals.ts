import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a store last refused to do for a release. */
export class Refusals1795001200000 implements MigrationInterface {
  readonly name = 'Refusals1795001200000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table release add column refusal jsonb');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table release drop column refusal');
  }
}
