import { setTimeout as pause } from 'node:timers/promises';
import { DataSource, MigrationExecutor, type EntityManager } from 'typeorm';
import { VERSION } from '../system/index.js';
import { driftIn, SchemaDrift, SchemaRefused, shownOf } from './catalogue.js';
import { dataSourceOptions, MIGRATIONS } from './data-source.js';
import type { Migration } from './migration.js';
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
const DUPLICATE_TABLE = '42P07';

/** The one migration of the versions before 1.0.0, which was rewritten with each of them. */
const BEFORE_RELEASE = 'Schema1795000000000';

/** Whether a database or a backup was made by a version before 1.0.0, given the names of the migrations that ran on it. */
export const isBeforeRelease = (names: readonly string[]): boolean => names.includes(BEFORE_RELEASE);

/** The schema is that of a newer version, which this one may not serve. */
export class NewerSchema extends SchemaRefused {
  override readonly name = 'NewerSchema';

  constructor(migrations: readonly string[], oldest: string) {
    super(
      `The database has the schema of a newer version of Pierhead, which ${oldest} and later serve. This is ${VERSION}, which does not know ${migrations.join(', ')}. Start the newer version, or restore a backup that was made before the upgrade.`,
    );
  }
}

/** The database was made before 1.0.0. */
export class SchemaBeforeRelease extends SchemaRefused {
  override readonly name = 'SchemaBeforeRelease';

  constructor(faults: readonly string[]) {
    super(
      `The database was made by a version of Pierhead before 1.0.0, which cannot be upgraded: ${shownOf(faults)}. Start with an empty one, by another DATABASE_URL or DATA_DIR.`,
    );
  }
}

/** The database belongs to another program. */
export class ForeignDatabase extends SchemaRefused {
  override readonly name = 'ForeignDatabase';

  constructor(why: string) {
    super(`The database is another program's: ${why}. Give Pierhead a database of its own by DATABASE_URL.`);
  }
}

/** The migrations could not run now, and changed nothing. */
export class MigrationsFailed extends Error {
  override readonly name = 'MigrationsFailed';
}

/** Options of a migration run; each has a default. */
interface MigrateOptions {
  /** All migrations that this version knows; fewer make the schema of an earlier one. */
  readonly migrations?: readonly (new () => Migration)[];
  /** Whether the database may differ from what the migrations make. */
  readonly allowsDrift?: boolean;
  readonly lockWaitMs?: number;
  readonly attempts?: number;
}

/**
 * Brings the schema up to date, all or nothing, while other processes serve. Processes that start together wait for each other at an advisory
 * lock that ends with the transaction, since the embedded database and poolers have no session locks. The schema of a newer version stays as it is.
 * @returns the names of the migrations that ran
 * @throws SchemaRefused, and MigrationsFailed when others keep a table locked
 */
export async function migrate(
  url: string,
  { migrations = MIGRATIONS, allowsDrift = false, lockWaitMs = LOCK_WAIT_MS, attempts = ATTEMPTS }: MigrateOptions = {},
): Promise<readonly string[]> {
  const dataSource = await new DataSource({ ...dataSourceOptions(url, 2), migrations: [...migrations] }).initialize();
  try {
    for (let left = attempts - 1; ; left -= 1) {
      const done = await dataSource
        .transaction((manager) => runPending(manager, { migrations, allowsDrift, lockWaitMs }))
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
  if (state === DUPLICATE_TABLE && error instanceof Error) throw new ForeignDatabase(error.message);
  if (state === CANCELLED)
    throw new MigrationsFailed(`A migration ran longer than ${STATEMENT_MS / 1000} seconds. Nothing was changed.`, {
      cause: error,
    });
  throw error;
}

/**
 * For commands that do not migrate.
 * @returns the migrations of a newer version that have run and let this one serve
 * @throws SchemaRefused when this version may not serve the database
 */
export const refuseOtherSchema = ({ manager }: DataSource): Promise<readonly string[]> => newerIn(manager);

/** For a start that does not migrate: migrations may be pending. @throws SchemaRefused */
export async function assertSchema(url: string, allowsDrift: boolean): Promise<void> {
  const dataSource = await new DataSource(dataSourceOptions(url, 2)).initialize();
  try {
    const isWhole =
      (await newerIn(dataSource.manager)).length === 0 && (await pendingMigrations(dataSource)).length === 0;
    if (isWhole && !allowsDrift) await assertUndrifted(dataSource.manager);
  } finally {
    await dataSource.destroy();
  }
}

/** Names the migrations that have not run yet. */
export async function pendingMigrations(dataSource: DataSource): Promise<readonly string[]> {
  const pending = await new MigrationExecutor(dataSource).getPendingMigrations();
  return pending.map(({ name }) => name);
}

async function runPending(
  manager: EntityManager,
  { migrations, allowsDrift, lockWaitMs }: Required<Omit<MigrateOptions, 'attempts'>>,
): Promise<readonly string[]> {
  const { queryRunner, connection } = manager;
  if (queryRunner === undefined) throw new Error('A transaction has a query runner');
  await manager.query('set local lock_timeout = 0');
  await manager.query('set local statement_timeout = 0');
  await manager.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  await manager.query(`set local lock_timeout = ${lockWaitMs}`);
  await manager.query(`set local statement_timeout = ${STATEMENT_MS}`);
  if ((await newerIn(manager)).length > 0) return [];
  const executor = new MigrationExecutor(connection, queryRunner);
  executor.transaction = 'none';
  const done = (await executor.executePendingMigrations()).map(({ name }) => name);
  if (done.length > 0) await manager.query('alter table migration add column if not exists oldest_version text');
  for (const { name, oldestVersion } of migrations.map((Each) => new Each()))
    if (done.includes(name))
      await manager.query('update migration set oldest_version = $2 where name = $1', [name, oldestVersion]);
  if (migrations === MIGRATIONS && !allowsDrift) await assertUndrifted(manager);
  return done;
}

/** @throws SchemaDrift */
async function assertUndrifted(manager: EntityManager): Promise<void> {
  const drift = await driftIn(manager);
  if (drift.faults.length > 0) throw new SchemaDrift(drift);
}

/** Names the migrations of a newer version that have run and let this one serve. @throws NewerSchema, SchemaBeforeRelease, ForeignDatabase */
async function newerIn(manager: EntityManager): Promise<readonly string[]> {
  const [table] = await manager.query<{ readonly found: boolean }[]>(
    "select to_regclass('migration') is not null as found",
  );
  if (table?.found !== true) return [];
  const ran = await manager.query<{ readonly name: string }[]>('select name from migration order by timestamp');
  if (isBeforeRelease(ran.map(({ name }) => name))) throw new SchemaBeforeRelease((await driftIn(manager)).faults);
  const known = manager.connection.migrations.map(({ name }) => name);
  // The table of another program has no such column.
  const unknown = await manager.query<{ readonly name: string; readonly oldest: string | null }[]>(
    `select name, to_jsonb(migration) ->> 'oldest_version' as oldest from migration where name <> all($1) order by timestamp`,
    [known],
  );
  const names = unknown.map(({ name }) => name);
  const versions = unknown.flatMap(({ oldest }) => oldest ?? []);
  if (versions.length < names.length) throw new ForeignDatabase(`its table migration has ${shownOf(names)}`);
  const oldest = versions.toSorted(byVersion).at(-1);
  if (oldest !== undefined && byVersion(VERSION, oldest) < 0) throw new NewerSchema(names, oldest);
  return names;
}

/** Orders versions such as 1.4.0. */
const byVersion = new Intl.Collator('en', { numeric: true }).compare;
