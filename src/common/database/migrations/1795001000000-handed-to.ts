import type { MigrationInterface, QueryRunner } from 'typeorm';

/** To which stores the content of a version was handed; of what was handed over before, as far as releases and scopes tell. */
export class HandedTo1795001000000 implements MigrationInterface {
  readonly name = 'HandedTo1795001000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query("alter table artifact add column handed_to text[] not null default '{}'");
    await queryRunner.query(`
      update artifact
         set handed_to = case
               when scope <> 'any' then array[scope]
               else array(select distinct target.store from release join target on target.id = release.target_id
                           where release.artifact_id = artifact.id and release.state <> 'queued')
             end
       where handed_over_at is not null`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table artifact drop column handed_to');
  }
}
