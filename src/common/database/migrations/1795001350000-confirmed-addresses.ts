import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Addresses of notifications are confirmed by their owners; those that were told so far go on being told. */
export class ConfirmedAddresses1795001350000 implements MigrationInterface {
  readonly name = 'ConfirmedAddresses1795001350000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table notification_endpoint
        add column confirmed_at timestamptz,
        add column confirmation_digest text,
        add column confirmation_until timestamptz,
        add constraint notification_endpoint_confirmation_digest_key unique (confirmation_digest)`);
    await queryRunner.query(`update notification_endpoint set confirmed_at = created_at where kind = 'mail'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table notification_endpoint
        drop column confirmed_at, drop column confirmation_digest, drop column confirmation_until`);
  }
}
