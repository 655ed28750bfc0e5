import { DataSource } from 'typeorm';
import type { EnvironmentValues } from '../../common/config/index.js';
import {
  dataSourceOptions,
  driftIn,
  MIGRATIONS,
  OtherEngine,
  pendingMigrations,
  reachEmbeddedPostgres,
  refuseOtherSchema,
  type RunningDatabase,
  SchemaDrift,
  SchemaRefused,
} from '../../common/database/index.js';
import { isStorageAway } from '../../common/storage/index.js';
import { FULL_VERSION, SECOND_MS, typed } from '../../common/system/index.js';
import { inspectKeys } from '../../platform/keys/index.js';
import { fault, inTime, ok, reasonOf, skipped, warning, type CheckResult } from './finding.js';

/** Opening the embedded database may take as long as a start. */
const OPEN_MS = 30 * SECOND_MS;
/** Signed requests and one-time passwords fail beyond this; a second is usual. */
const CLOCK_OFF_SECONDS = 5;
const [OLDEST, NEWEST] = [15, 18];
const BACK_UP_KEYS =
  'Set the keys that the database was written with, for example from where you keep them beside the backups.';

/** Findings about the database, and the facts that other checks need from it. */
interface DatabaseFindings {
  readonly results: Readonly<Record<'database' | 'migrations' | 'keys' | 'clock', CheckResult>>;
  /** Stores and processors that some tenant has credentials for; null when the database could not be read. */
  readonly used: ReadonlySet<string> | null;
}

/**
 * Checks the database, its migrations, its keys, and this machine's clock against that of the database.
 * @param sentenceOf returns the message that a start would print for a failure; null for an unknown one
 */
export async function checkDatabase(
  read: EnvironmentValues,
  sentenceOf: (error: unknown) => string | null,
): Promise<DatabaseFindings> {
  let database: RunningDatabase | null = null;
  try {
    database =
      read.databaseUrl === undefined
        ? await inTime(reachEmbeddedPostgres(read.dataDir), OPEN_MS)
        : { url: read.databaseUrl, stop: () => Promise.resolve() };
    return await checkReachable(database.url, read);
  } catch (error) {
    const isNew = error instanceof Error && error.name === 'NoEmbeddedDatabase';
    const why = sentenceOf(error) ?? reasonOf(error);
    const rest = skipped(isNew ? 'There is no database yet.' : 'The database cannot be reached.');
    const reached = isNew
      ? ok('DATA_DIR has no database yet: the first start creates it.')
      : fault(why, remedyOf(error));
    return {
      results: { database: reached, migrations: rest, keys: rest, clock: rest },
      used: isNew ? new Set() : null,
    };
  } finally {
    await database?.stop();
  }
}

/** Returns the remedy for a database that cannot be read. */
export const remedyOf = (error: unknown): string =>
  error instanceof OtherEngine
    ? 'Go over a backup, as docs/operating.md says under “Upgrade”.'
    : isStorageAway(error)
      ? 'Make room on the disk of DATA_DIR.'
      : 'Check that the server is running, and the host, port, user and database in DATABASE_URL; for the embedded database, DATA_DIR.';

async function checkReachable(url: string, read: EnvironmentValues): Promise<DatabaseFindings> {
  const source = new DataSource({ ...dataSourceOptions(url, 2) });
  await inTime(source.initialize());
  try {
    const [facts] = await inTime(
      source.query<{ version: number; now: Date; hasSchema: boolean }[]>(
        `select current_setting('server_version_num')::int as version, clock_timestamp() as now,
                to_regclass('key_fingerprint') is not null as "hasSchema"`,
      ),
    );
    if (facts === undefined) throw new Error('The facts are one row');
    const { version, now, hasSchema } = facts;
    const clock = checkClock((now.getTime() - Date.now()) / SECOND_MS, 'the database');
    if (!hasSchema) {
      const none = skipped('The database is empty: the first start creates the schema.');
      return { results: { database: checkVersion(version), migrations: none, keys: none, clock }, used: new Set() };
    }
    const migrations = await checkMigrations(source, read);
    const keys =
      migrations.state === 'fault' ? skipped('The schema is not the one of this version.') : await checkKeys(url, read);
    const used = await source.query<{ store: string }[]>('select distinct store from credential');
    return {
      results: { database: checkVersion(version), migrations, keys, clock },
      used: new Set(used.map(({ store }) => store)),
    };
  } finally {
    await source.destroy();
  }
}

function checkVersion(number: number): CheckResult {
  const major = Math.floor(number / 10_000);
  return major >= OLDEST && major <= NEWEST
    ? ok(`PostgreSQL ${major} answers.`)
    : warning(
        `PostgreSQL ${major} answers, but Pierhead is not tested with it.`,
        `Use a version from ${OLDEST} to ${NEWEST}.`,
      );
}

async function checkMigrations(
  source: DataSource,
  { migrateOnStart, allowSchemaDrift }: EnvironmentValues,
): Promise<CheckResult> {
  try {
    const newer = await refuseOtherSchema(source);
    if (newer.length > 0)
      return ok(`The schema is a newer version's (${newer.join(', ')}), which ${FULL_VERSION} may still serve.`);
  } catch (error) {
    if (error instanceof SchemaRefused) return fault(error.message, 'Start the version that made the database.');
    throw error;
  }
  const pending = await pendingMigrations(source);
  if (pending.length > 0) {
    const message = `Not run yet: ${pending.join(', ')}.`;
    return migrateOnStart
      ? warning(message, 'Start the service of this version: it runs them.')
      : fault(message, `Run “${typed('migrate')}”, since MIGRATE_ON_START is false.`);
  }
  const drift = await driftIn(source);
  if (drift.faults.length > 0) {
    const remedy = 'Restore a backup into an empty database, or undo the change.';
    const { message } = new SchemaDrift(drift);
    return allowSchemaDrift ? warning(message, remedy) : fault(message, remedy);
  }
  const others = drift.own.length === 0 ? '' : ` Not Pierhead's: ${drift.own.join(', ')}.`;
  return ok(`The schema is ${MIGRATIONS.at(-1)?.name ?? ''}, the one of version ${FULL_VERSION}.${others}`);
}

async function checkKeys(url: string, read: EnvironmentValues): Promise<CheckResult> {
  try {
    const { faults, opened } = await inspectKeys(url, read);
    return faults.length > 0
      ? fault(faults.join(' '), BACK_UP_KEYS)
      : ok(`They match the database: ${opened} kinds of secrets were decrypted.`);
  } catch (error) {
    return fault(`A secret in the database cannot be decrypted: ${reasonOf(error)}.`, BACK_UP_KEYS);
  }
}

/** Checks this machine's clock against another. @param seconds how far the other clock is ahead */
export function checkClock(seconds: number, other: string): CheckResult {
  const off = Math.abs(seconds);
  return off <= CLOCK_OFF_SECONDS
    ? ok(`Within ${CLOCK_OFF_SECONDS} seconds of ${other}.`)
    : fault(
        `${Math.round(off)} seconds ${seconds > 0 ? 'behind' : 'ahead of'} ${other}.`,
        'Run a time service such as systemd-timesyncd or chrony on this machine, and on that of the database.',
      );
}
