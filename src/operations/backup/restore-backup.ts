import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { completeConfig, findSecrets, type EnvironmentValues } from '../../common/config/index.js';
import {
  dataSourceOptions,
  isBeforeRelease,
  migrate,
  MIGRATIONS,
  startEmbeddedPostgres,
  type RunningDatabase,
} from '../../common/database/index.js';
import { Sealer } from '../../common/sealing/index.js';
import { makeBlobStore, TemporaryFiles, type BlobStore } from '../../common/storage/index.js';
import { makeFolder, VERSION } from '../../common/system/index.js';
import { inspectKeys, type KeyReport } from '../../platform/keys/index.js';
import { OpenBackup } from './backup-archive.js';
import { makeBackupStore, type BackupStore } from './backup-store.js';
import { DatabaseDumpRepository } from './database-dump.repository.js';
import { BackupFault, type BackupManifest } from './manifest.js';

/** The backup to restore. */
export interface RestoreRequest {
  /** Path of a backup, or the name of one that BACKUP_TO holds. */
  readonly backup: string;
  /** Restores into a temporary database, which is deleted afterwards, and changes nothing else. */
  readonly isCheck: boolean;
  /** File with private keys of age, for a backup that is encrypted for recipients. */
  readonly identityFile: string | undefined;
  /** Restores a backup though nothing shows that an instance with the configured keys made it. */
  readonly acceptUnauthenticated: boolean;
}

/** Summary of the restored data. */
export interface RestoredBackup {
  readonly createdAt: string;
  readonly version: string;
  readonly commit: string | null;
  readonly rows: number;
  /** Packages that were compared with what was pushed, or found in the bucket. */
  readonly packages: number;
  readonly missingPackages: readonly string[];
  /** Encrypted values, one of each kind, that could be decrypted. */
  readonly secretsOpened: number;
  /** Obstacles to starting the restored service, one sentence each. */
  readonly faults: readonly string[];
}

/**
 * Restores a backup into an empty database and the blob store, or checks that this would succeed. Packages come first, and all rows at once, so
 * that a restore which was killed can be run again. Nothing is changed for a database that is refused.
 * @throws BackupFault when the backup is damaged, cannot be decrypted, may be somebody else's or is of a newer version, when the identity file
 *   has no key, or when the database is not empty
 */
export async function restoreBackup(read: EnvironmentValues, request: RestoreRequest): Promise<RestoredBackup> {
  const { encryptionKeys = [] } = await findSecrets(read);
  // Only the seal of the backup needs a key.
  const config = completeConfig(read, { encryptionKeys, codePeppers: [], tokenSecret: '' });
  await makeFolder(read.dataDir);
  const temporary = new TemporaryFiles(config);
  await temporary.removeAbandoned();
  // Holds the decrypted backup.
  const scratch = await temporary.path();
  try {
    await mkdir(scratch, { mode: 0o700 });
    const blobs = await makeBlobStore(config);
    const store = makeBackupStore(config, blobs, temporary);
    return await atPath(request.backup, store, async (path) => {
      const decryption = {
        identities: await identitiesIn(request.identityFile),
        passphrase: read.backupPassphrase,
      };
      const sealer = request.acceptUnauthenticated ? null : new Sealer(config);
      const backup = await OpenBackup.at(path, join(scratch, 'backup.zip'), decryption, sealer);
      try {
        return await restore(backup, read, request.isCheck, blobs, scratch);
      } finally {
        backup.close();
      }
    });
  } finally {
    await temporary.discard(scratch);
  }
}

async function restore(
  backup: OpenBackup,
  read: EnvironmentValues,
  isCheck: boolean,
  blobs: BlobStore,
  scratch: string,
): Promise<RestoredBackup> {
  const { manifest } = backup;
  if (isBeforeRelease(manifest.migrations))
    throw new BackupFault(`The backup was made by version ${manifest.version}. Those before 1.0.0 cannot be restored.`);
  const unknown = manifest.migrations.filter((wanted) => !MIGRATIONS.some(({ name }) => name === wanted));
  if (unknown.length > 0)
    throw new BackupFault(
      `The backup has the schema of a newer version than ${VERSION}, which does not know ${unknown.join(', ')}. Restore it with the newer version.`,
    );
  const tables = join(scratch, 'tables');
  await mkdir(tables);
  await backup.unpackTables(tables);
  const database = await openDatabase(read, isCheck, scratch);
  try {
    // Loading refuses it, too. Here nothing has been written yet.
    await onDatabase(database.url, (dump) => dump.refuseUnlessEmpty(manifest));
    const packages = await restorePackages(backup, isCheck, blobs, join(scratch, 'package'));
    const keys = await loadAndInspect(database.url, manifest, tables, read);
    const { createdAt, version, commit, missingPackages } = manifest;
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    return {
      createdAt,
      version,
      commit,
      rows,
      packages,
      missingPackages,
      secretsOpened: keys.opened,
      faults: keys.faults,
    };
  } finally {
    await database.stop();
  }
}

/** A check uses an embedded database, since rows are the same in every PostgreSQL. */
async function openDatabase(read: EnvironmentValues, isCheck: boolean, scratch: string): Promise<RunningDatabase> {
  if (isCheck) return startEmbeddedPostgres(join(scratch, 'database'));
  if (read.databaseUrl === undefined) return startEmbeddedPostgres(read.dataDir);
  return { url: read.databaseUrl, stop: () => Promise.resolve() };
}

async function onDatabase(url: string, work: (dump: DatabaseDumpRepository) => Promise<void>): Promise<void> {
  const dataSource = await new DataSource({ ...dataSourceOptions(url, 2) }).initialize();
  try {
    await work(new DatabaseDumpRepository(dataSource));
  } finally {
    await dataSource.destroy();
  }
}

async function loadAndInspect(
  url: string,
  manifest: BackupManifest,
  tables: string,
  read: EnvironmentValues,
): Promise<KeyReport> {
  await migrate(url, { migrations: MIGRATIONS.filter(({ name }) => manifest.migrations.includes(name)) });
  await onDatabase(url, (dump) => dump.load(tables, manifest));
  await migrate(url);
  return inspectKeys(url, read);
}

/** @returns how many packages were verified, or found in the bucket @throws BackupFault when one is damaged or the bucket lacks some */
async function restorePackages(
  backup: OpenBackup,
  isCheck: boolean,
  blobs: BlobStore,
  scratch: string,
): Promise<number> {
  for (const each of backup.packages) {
    if (isCheck) await backup.unpackPackage(each);
    else {
      await backup.unpackPackage(each, scratch);
      await blobs.put(scratch, each.key);
    }
  }
  const { packagesIn, packages } = backup.manifest;
  if (packagesIn === 'included') return backup.packages.length;
  const lost = [];
  for (const { key } of packages) if (!(await blobs.exists(key))) lost.push(key);
  if (lost.length > 0)
    throw new BackupFault(
      `The bucket ${packagesIn.bucket} lacks ${lost.length} of ${packages.length} packages. Does S3_BUCKET name the right one?`,
    );
  return packages.length;
}

async function atPath<Result>(
  backup: string,
  store: BackupStore,
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  const found = await stat(backup).catch(() => null);
  if (found?.isDirectory() === true)
    throw new BackupFault(`${backup} is a folder. Name the file of a backup, or a backup that BACKUP_TO holds.`);
  if (found !== null) return work(backup);
  if (!(await store.list()).some(({ name }) => name === backup))
    throw new BackupFault(`There is no file ${backup}, and no backup of that name in ${store.place}.`);
  return store.read(backup, work);
}

/** Reads the private keys in an identity file of age. @throws BackupFault when the file cannot be read or has none */
async function identitiesIn(file: string | undefined): Promise<readonly string[]> {
  if (file === undefined) return [];
  const content = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new BackupFault(`The --identity file ${file} cannot be read.`, { cause: error });
  });
  const identities = content.split(/\s+/).filter((word) => word.startsWith('AGE-SECRET-KEY-'));
  if (identities.length === 0)
    throw new BackupFault(`The --identity file ${file} has no age private key (AGE-SECRET-KEY-…).`);
  return identities;
}
