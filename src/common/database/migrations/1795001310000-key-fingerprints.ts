import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Ids of keys that an earlier version has used. Their fingerprints are learned at the next start. */
const IN_USE = `
  select 'CODE_PEPPERS' as setting, code_pepper as key_id from license
  union select 'TOKEN_SECRET', '' from access_token
  union select 'ENCRYPTION_KEYS', convert_from(decode(rpad(translate(header, '-_', '+/'), (length(header) + 3) / 4 * 4, '='), 'base64'), 'UTF8')::json ->> 'kid'
    from (select split_part(sealed, '.', 1) as header from credential
          union select split_part(sealed, '.', 1) from lease_key
          union select split_part(sealed, '.', 1) from notification_endpoint
          union select split_part(sealed, '.', 1) from code_claim
          union select split_part(sealed, '.', 1) from mail) sealed
   where header like 'eyJhbGciOiJkaXIi%'`;

/** What each key in use is recognized by, so that a start with a lost or another key is refused. */
export class KeyFingerprints1795001310000 implements MigrationInterface {
  readonly name = 'KeyFingerprints1795001310000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`create table key_fingerprint (
      setting text not null,
      key_id text not null,
      fingerprint bytea,
      constraint key_fingerprint_pkey primary key (setting, key_id)
    )`);
    await queryRunner.query(`insert into key_fingerprint (setting, key_id) ${IN_USE}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table key_fingerprint');
  }
}
