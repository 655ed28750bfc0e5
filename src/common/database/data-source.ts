import type { DataSourceOptions } from 'typeorm';
import { RenewalLeeway1796600000000 } from './migrations/1796600000000-renewal-leeway.js';
import { AccountProven1796700000000 } from './migrations/1796700000000-account-proven.js';
import { IdempotentAnswers1796800000000 } from './migrations/1796800000000-idempotent-answers.js';
import { Baseline1796000000000 } from './migrations/1796000000000-baseline.js';
import type { Migration } from './migration.js';
import { ReadableNames } from './naming.js';

/** In milliseconds; any statement that runs into one is a fault. */
const TIMEOUTS = {
  statement_timeout: 15_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 30_000,
} as const;

/** All migrations, in order. */
export const MIGRATIONS: readonly (new () => Migration)[] = [
  Baseline1796000000000,
  RenewalLeeway1796600000000,
  AccountProven1796700000000,
  IdempotentAnswers1796800000000,
];

/**
 * Whether a URL says, with Prisma's parameter, that PgBouncer pools connections in transaction mode. Such a connection keeps no state between
 * transactions: neither prepared statements nor startup parameters can be used.
 */
export const usesTransactionPooling = (url: string): boolean =>
  URL.canParse(url) && new URL(url).searchParams.get('pgbouncer') === 'true';

/**
 * Returns TypeORM's options, the same for the service, its tests and the TypeORM command line.
 * @param pool most connections
 */
export const dataSourceOptions = (
  url: string,
  pool: number,
): Extract<DataSourceOptions, { readonly type: 'postgres' }> => ({
  type: 'postgres',
  url,
  poolSize: pool,
  applicationName: 'pierhead',
  connectTimeoutMS: 10_000,
  extra: {
    keepAlive: true,
    ...(usesTransactionPooling(url) ? {} : TIMEOUTS),
  },
  namingStrategy: new ReadableNames(),
  migrations: [...MIGRATIONS],
  migrationsTableName: 'migration',
  migrationsTransactionMode: 'all',
  uuidExtension: 'pgcrypto',
  installExtensions: false,
  synchronize: false,
  logging: false,
});
