import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a target declares of the encryption in its builds, and where to look at what a notification is about. */
export class EncryptionAnswers1795001330000 implements MigrationInterface {
  readonly name = 'EncryptionAnswers1795001330000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table target add column encryption text');
    await queryRunner.query('alter table notification add column place jsonb');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table notification drop column place');
    await queryRunner.query('alter table target drop column encryption');
  }
}
