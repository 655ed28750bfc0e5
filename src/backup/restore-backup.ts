import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { completeConfig, type Config, type EnvironmentValues } from '../common/config/index.js';
import {
  dataSourceOptions,
  migrate,
  MIGRATIONS,
  startEmbeddedPostgres,
  type RunningDatabase,
} from '../common/database/index.js';
import { makeBlobStore, TemporaryFiles, type BlobStore } from '../common/storage/index.js';
import { Clock, makeFolder } from '../common/system/index.js';
import { inspectKeys, type KeyReport } from '../keys/index.js';
import { OpenBackup } from './backup-archive.js';
import { makeBackupStore } from './backup-store.js';
import { DatabaseDumpRepository } from './database-dump.repository.js';
import { BackupFault, type BackupManifest } from './manifest.js';

/** What to restore. */
export interface RestoreRequest {
  /** Path of a backup, or the name of one that BACKUP_TO holds. */
  readonly backup: string;
  /** Restores into a temporary database, which is deleted afterwards, and changes nothing else. */
  readonly isCheck: boolean;
  /** File with private keys of age, for a backup that is encrypted for recipients. */
  readonly identityFile: string | undefined;
}

/** What was restored. */
export interface RestoredBackup {
  readonly createdAt: string;
  readonly version: string;
  readonly rows: number;
  /** Packages that were compared with what was pushed, or found in the bucket. */
  readonly packages: number;
  readonly missingPackages: readonly string[];
  /** Encrypted values, one of each kind, that could be decrypted. */
  readonly secretsOpened: number;
  /** What keeps the restored service from starting, one sentence each. */
  readonly faults: readonly string[];
}

/**
 * Restores a backup into an empty database and the blob store, or checks that this would succeed. Packages come first, and all rows at once, so
 * that a restore which was killed can be run again.
 * @throws BackupFault when the backup is damaged, cannot be decrypted or is of a newer version, when the identity file has no key, or when the
 *   database is not empty
 */
export async function restoreBackup(read: EnvironmentValues, request: RestoreRequest): Promise<RestoredBackup> {
  const scratch = join(read.dataDir, `restore-${randomUUID()}`);
  await makeFolder(scratch);
  // Neither the store of backups nor that of packages needs a key.
  const config = completeConfig(read, { encryptionKeys: [], codePeppers: [], tokenSecret: '' });
  try {
    const blobs = await makeBlobStore(config);
    return await atPath(request.backup, config, blobs, async (path) => {
      const backup = await OpenBackup.at(path, join(scratch, 'backup.zip'), {
        identities: await identitiesIn(request.identityFile),
        passphrase: read.backupPassphrase,
      });
      try {
        return await restore(backup, read, request.isCheck, blobs, scratch);
      } finally {
        backup.close();
      }
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
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
  const unknown = manifest.migrations.filter((wanted) => !MIGRATIONS.some(({ name }) => name === wanted));
  if (unknown.length > 0)
    throw new BackupFault(
      `The backup was made by version ${manifest.version}, which is newer. This version does not know: ${unknown.join(', ')}.`,
    );
  const tables = join(scratch, 'tables');
  await mkdir(tables);
  await backup.unpackTables(tables);
  const database = await openDatabase(read, isCheck, scratch);
  try {
    const packages = await restorePackages(backup, isCheck, blobs, join(scratch, 'package'));
    const keys = await loadAndInspect(database.url, manifest, tables, read);
    const { createdAt, version, missingPackages } = manifest;
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    return { createdAt, version, rows, packages, missingPackages, secretsOpened: keys.opened, faults: keys.faults };
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

async function loadAndInspect(
  url: string,
  manifest: BackupManifest,
  tables: string,
  read: EnvironmentValues,
): Promise<KeyReport> {
  await migrate(url, { migrations: MIGRATIONS.filter(({ name }) => manifest.migrations.includes(name)) });
  const dataSource = await new DataSource({ ...dataSourceOptions(url, 2) }).initialize();
  try {
    await new DatabaseDumpRepository(dataSource).load(tables, manifest);
  } finally {
    await dataSource.destroy();
  }
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
  config: Config,
  blobs: BlobStore,
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  if ((await stat(backup).catch(() => null)) !== null) return work(backup);
  const store = makeBackupStore(config, blobs, new TemporaryFiles(config), new Clock());
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
