import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP: readonly string[] = [
  `alter table license add column delivery text, add column delivery_id uuid`,
  `create index license_delivery_id_idx on license (delivery_id) where delivery_id is not null`,
  `create index license_buyer_email_idx on license (buyer_email)`,
  `create table code_claim (
    id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    license_id uuid not null,
    extension_id uuid not null,
    token_digest text,
    sealed text not null,
    expires_at timestamptz not null,
    constraint code_claim_license_id_key unique (license_id),
    constraint code_claim_extension_id_token_digest_key unique (extension_id, token_digest),
    constraint code_claim_pkey primary key (id),
    constraint code_claim_license_id_fkey foreign key (license_id) references license(id) on delete cascade,
    constraint code_claim_extension_id_fkey foreign key (extension_id) references extension(id) on delete cascade
  )`,
  `create index code_claim_expires_at_idx on code_claim (expires_at)`,
  ...['buyer_link', 'buyer_session'].flatMap((table) => [
    `create table ${table} (
      id uuid not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      email text not null,
      secret_digest text not null,
      expires_at timestamptz not null,
      constraint ${table}_secret_digest_key unique (secret_digest),
      constraint ${table}_pkey primary key (id)
    )`,
    `create index ${table}_expires_at_idx on ${table} (expires_at)`,
  ]),
];

const DOWN: readonly string[] = [
  `drop table buyer_session, buyer_link, code_claim`,
  `drop index license_buyer_email_idx, license_delivery_id_idx`,
  `alter table license drop column delivery_id, drop column delivery`,
];

/** Codes on their way to buyers, and the buyers' own page. */
export class Delivery1795000500000 implements MigrationInterface {
  readonly name = 'Delivery1795000500000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}
