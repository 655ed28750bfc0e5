import type { MigrationInterface, QueryRunner } from 'typeorm';

/** In which channel of its store a version was handed over; until now it is taken to be the one that its target names. */
export class ReleaseChannels1795001100000 implements MigrationInterface {
  readonly name = 'ReleaseChannels1795001100000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`alter table release add column channel text not null default ''`);
    await queryRunner.query(`update release set channel = target.channel from target
      where target.id = release.target_id and target.channel <> ''`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table release drop column channel');
  }
}
