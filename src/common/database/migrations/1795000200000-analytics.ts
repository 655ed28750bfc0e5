import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Written by hand and read by SQL alone: TypeORM knows neither partitions nor batches. No column of these tables holds an install's own id,
 * an address or a User-Agent; `install` is a keyed digest.
 */
const UP: readonly string[] = [
  // One row per install and UTC day, append-only. No foreign key: pings lock their extensions themselves, once per batch.
  `create table install_day (
    extension_id uuid not null,
    day date not null,
    install uuid not null,
    version text not null,
    language text,
    browser text,
    browser_major integer,
    os text,
    country text,
    arrived bigint not null default (pg_current_xact_id()::text)::bigint,
    constraint install_day_pkey primary key (extension_id, day, install)
  ) partition by range (day)`,
  // What the roll-up has not read yet: transactions from its watermark on.
  `create index install_day_arrived_idx on install_day (arrived)`,
  `create table analytics_day (
    day date not null,
    watermark bigint not null default 0,
    closed_at timestamptz,
    constraint analytics_day_pkey primary key (day)
  )`,
  `create index analytics_day_open_idx on analytics_day (day) where closed_at is null`,
  // No index on last_day, so that following an install never touches one.
  `create table install_seen (
    extension_id uuid not null,
    install uuid not null,
    last_day date not null,
    constraint install_seen_pkey primary key (extension_id, install),
    constraint install_seen_extension_id_fkey foreign key (extension_id) references extension(id) on delete cascade
  ) with (fillfactor = 90)`,
  // How many installs of install_seen were last seen on which day: what 7 and 28 days of uniques are summed from.
  `create table install_last_day (
    extension_id uuid not null,
    last_day date not null,
    installs bigint not null,
    constraint install_last_day_pkey primary key (extension_id, last_day),
    constraint install_last_day_extension_id_fkey foreign key (extension_id) references extension(id) on delete cascade
  )`,
  `create table stat_total (
    extension_id uuid not null,
    day date not null,
    active bigint not null,
    new bigint not null,
    unique7 bigint not null,
    unique28 bigint not null,
    constraint stat_total_pkey primary key (extension_id, day),
    constraint stat_total_extension_id_fkey foreign key (extension_id) references extension(id) on delete cascade
  )`,
  // The value '' is "unknown": a primary key knows no null.
  `create table stat_day (
    extension_id uuid not null,
    day date not null,
    dimension text not null,
    value text not null,
    installs bigint not null,
    constraint stat_day_pkey primary key (extension_id, day, dimension, value),
    constraint stat_day_extension_id_fkey foreign key (extension_id) references extension(id) on delete cascade
  )`,
  // The sums of the closed days of each month, so that a year is a few thousand rows to read and not a few hundred thousand.
  `create table stat_month (
    extension_id uuid not null,
    month date not null,
    dimension text not null,
    value text not null,
    installs bigint not null,
    constraint stat_month_pkey primary key (extension_id, month, dimension, value),
    constraint stat_month_extension_id_fkey foreign key (extension_id) references extension(id) on delete cascade
  )`,
];

const TABLES = [
  'stat_month',
  'stat_day',
  'stat_total',
  'install_last_day',
  'install_seen',
  'analytics_day',
  'install_day',
];

/** Pings by day, and what is rolled up from them. */
export class Analytics1795000200000 implements MigrationInterface {
  readonly name = 'Analytics1795000200000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`drop table ${TABLES.join(', ')}`);
  }
}
