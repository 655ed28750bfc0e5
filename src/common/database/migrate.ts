import { DataSource, MigrationExecutor } from 'typeorm';
import { dataSourceOptions, MIGRATIONS } from './data-source.js';

const MIGRATION_LOCK = 7_431_101;

/** The names of all migrations, in order. */
export const MIGRATION_NAMES: readonly string[] = MIGRATIONS.map(({ name }) => name);

/**
 * Brings the schema up to date. Processes that start together wait for each other at an advisory lock of a separate transaction, since the
 * embedded database has no session locks.
 * @param only the names of the migrations to run, for a schema of an earlier version; all by default
 * @returns the names of the migrations that ran
 */
export async function migrate(url: string, only: readonly string[] = MIGRATION_NAMES): Promise<readonly string[]> {
  const migrations = MIGRATIONS.filter(({ name }) => only.includes(name));
  const dataSource = await new DataSource({ ...dataSourceOptions(url, 2), migrations }).initialize();
  try {
    return await dataSource.transaction(async (lock) => {
      await lock.query('set local lock_timeout = 0');
      await lock.query('set local statement_timeout = 0');
      await lock.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
      const { queryRunner } = lock;
      if (queryRunner === undefined) throw new Error('A transaction has a query runner');
      const executor = new MigrationExecutor(dataSource, queryRunner);
      executor.transaction = 'none';
      const done = await executor.executePendingMigrations();
      return done.map(({ name }) => name);
    });
  } finally {
    await dataSource.destroy();
  }
}

/** Names the migrations that have not run yet. */
export async function pendingMigrations(dataSource: DataSource): Promise<readonly string[]> {
  const pending = await new MigrationExecutor(dataSource).getPendingMigrations();
  return pending.map(({ name }) => name);
}
