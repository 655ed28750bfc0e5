import { setTimeout as pause } from 'node:timers/promises';
import { DataSource, MigrationExecutor, type EntityManager, type MigrationInterface } from 'typeorm';
import { dataSourceOptions, MIGRATIONS } from './data-source.js';
import { sqlState } from './transactions.js';

const MIGRATION_LOCK = 7_431_101;
/** All queries queue behind a migration that waits for a table, so it soon gives up, and all migrations start again. */
const LOCK_WAIT_MS = 2_000;
const ATTEMPTS = 15;
const PAUSE_MS = 1_000;
/** A migration that takes longer blocks a table for too long: a worker must do such work in batches. */
const STATEMENT_MS = 60_000;

const LOCK_NOT_AVAILABLE = '55P03';
/** A transaction of the service held a table that the migration waits for, and waited for one that the migration holds. */
const DEADLOCK = '40P01';
const CANCELLED = '57014';

/** The schema is that of a newer version, whose rules this one does not know. */
export class NewerSchema extends Error {
  override readonly name = 'NewerSchema';

  constructor(migrations: readonly string[]) {
    super(
      `The database has the schema of a newer version of Pierhead: this one does not know ${migrations.join(', ')}. Start the newer version, or restore a backup that this version made.`,
    );
  }
}

/** The migrations could not run now, and changed nothing. */
export class MigrationsFailed extends Error {
  override readonly name = 'MigrationsFailed';
}

/** Options of a migration run; each has a default. */
interface MigrateOptions {
  /** All migrations that this version knows; fewer make the schema of an earlier one. */
  readonly migrations?: readonly (new () => MigrationInterface)[];
  readonly lockWaitMs?: number;
  readonly attempts?: number;
}

/**
 * Brings the schema up to date, all or nothing, while other processes serve. Processes that start together wait for each other at an advisory
 * lock that ends with the transaction, since the embedded database and poolers have no session locks.
 * @returns the names of the migrations that ran
 * @throws NewerSchema, and MigrationsFailed when others keep a table locked
 */
export async function migrate(
  url: string,
  { migrations = MIGRATIONS, lockWaitMs = LOCK_WAIT_MS, attempts = ATTEMPTS }: MigrateOptions = {},
): Promise<readonly string[]> {
  const dataSource = await new DataSource({ ...dataSourceOptions(url, 2), migrations: [...migrations] }).initialize();
  try {
    for (let left = attempts - 1; ; left -= 1) {
      const done = await dataSource
        .transaction((manager) => runPending(manager, lockWaitMs))
        .catch((error: unknown) => retryOrThrow(error, left));
      if (done !== null) return done;
      await pause(Math.min(PAUSE_MS, lockWaitMs));
    }
  } finally {
    await dataSource.destroy();
  }
}

/** @returns null when the migrations can be tried again @throws MigrationsFailed, or the error itself */
function retryOrThrow(error: unknown, attemptsLeft: number): null {
  const state = sqlState(error);
  const isLocked = state === LOCK_NOT_AVAILABLE || state === DEADLOCK;
  if (isLocked && attemptsLeft > 0) return null;
  if (isLocked)
    throw new MigrationsFailed(
      'A migration needs a table that long transactions keep locked. Nothing was changed: end them, or start again later.',
      { cause: error },
    );
  if (state === CANCELLED)
    throw new MigrationsFailed(`A migration ran longer than ${STATEMENT_MS / 1000} seconds. Nothing was changed.`, {
      cause: error,
    });
  throw error;
}

/** For commands that do not migrate. @throws NewerSchema */
export const refuseNewerSchema = ({ manager }: DataSource): Promise<void> => assertKnown(manager);

/** Names the migrations that have not run yet. */
export async function pendingMigrations(dataSource: DataSource): Promise<readonly string[]> {
  const pending = await new MigrationExecutor(dataSource).getPendingMigrations();
  return pending.map(({ name }) => name);
}

async function runPending(manager: EntityManager, lockWaitMs: number): Promise<readonly string[]> {
  const { queryRunner, connection } = manager;
  if (queryRunner === undefined) throw new Error('A transaction has a query runner');
  await manager.query('set local lock_timeout = 0');
  await manager.query('set local statement_timeout = 0');
  await manager.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  await manager.query(`set local lock_timeout = ${lockWaitMs}`);
  await manager.query(`set local statement_timeout = ${STATEMENT_MS}`);
  await assertKnown(manager);
  const executor = new MigrationExecutor(connection, queryRunner);
  executor.transaction = 'none';
  const done = await executor.executePendingMigrations();
  return done.map(({ name }) => name);
}

async function assertKnown(manager: EntityManager): Promise<void> {
  const [table] = await manager.query<{ readonly found: boolean }[]>(
    "select to_regclass('migration') is not null as found",
  );
  if (table?.found !== true) return;
  const ran = await manager.query<{ readonly name: string }[]>('select name from migration order by timestamp');
  const known = new Set(manager.connection.migrations.map(({ name }) => name));
  const unknown = ran.map(({ name }) => name).filter((name) => !known.has(name));
  if (unknown.length > 0) throw new NewerSchema(unknown);
}
