import { createWriteStream } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../../common/config/index.js';
import { dropPath, holdPath, makeFolder, removeAbandoned, syncToDisk } from '../../common/system/index.js';
import type { BlobStore, TemporaryFiles } from '../../common/storage/index.js';

/** A backup that is complete. */
export interface StoredBackup {
  readonly name: string;
  readonly createdAt: Date;
}

const NAME = /^pierhead-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z\.zip(\.age)?$/;
const PARTIAL = '.partial';
const FOLDER = 'backups';

/** The name of a backup, which sorts by time. */
export const nameOf = (createdAt: Date, isSealed: boolean): string =>
  `pierhead-${createdAt.toISOString().replaceAll(/[-:.]/g, '')}.zip${isSealed ? '.age' : ''}`;

const storedAs = (name: string): StoredBackup[] => {
  const [, year, month, day, hour, minute, second, ms] = NAME.exec(name) ?? [];
  return ms === undefined
    ? []
    : [{ name, createdAt: new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`) }];
};

/** Stores backups atomically: a backup that fails leaves nothing, and one that is killed nothing under its name. */
export abstract class BackupStore {
  /** Writes a backup to a file, and stores it under its name. */
  abstract save<Written>(name: string, write: (path: string) => Promise<Written>): Promise<Written>;
  abstract list(): Promise<readonly StoredBackup[]>;
  abstract remove(name: string): Promise<void>;
  /** Runs work with a path at which the backup can be read until the work ends. */
  abstract read<Result>(name: string, work: (path: string) => Promise<Result>): Promise<Result>;
  /** Location of the backups, for the operator. */
  abstract readonly place: string;
}

/** Stores backups as files of a folder. */
class FolderBackupStore extends BackupStore {
  constructor(readonly place: string) {
    super();
  }

  override async save<Written>(name: string, write: (path: string) => Promise<Written>): Promise<Written> {
    await makeFolder(this.place);
    await removeAbandoned(this.place);
    const path = join(this.place, name);
    const partial = holdPath(path, PARTIAL);
    try {
      const written = await write(partial);
      await syncToDisk(partial);
      await rename(partial, path);
      await syncToDisk(this.place);
      return written;
    } finally {
      await dropPath(partial);
    }
  }

  override async list(): Promise<readonly StoredBackup[]> {
    const names = await readdir(this.place).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    return names.flatMap(storedAs);
  }

  override async remove(name: string): Promise<void> {
    await rm(join(this.place, name), { force: true });
  }

  override read<Result>(name: string, work: (path: string) => Promise<Result>): Promise<Result> {
    return work(join(this.place, name));
  }
}

/** Stores backups in the bucket of the packages, under `backups/`. */
class BucketBackupStore extends BackupStore {
  constructor(
    private readonly bucket: string,
    private readonly blobs: BlobStore,
    private readonly temporary: TemporaryFiles,
  ) {
    super();
  }

  get place(): string {
    return `${FOLDER}/ of the bucket ${this.bucket}`;
  }

  override async save<Written>(name: string, write: (path: string) => Promise<Written>): Promise<Written> {
    return this.withFile(async (path) => {
      const written = await write(path);
      await this.blobs.put(path, `${FOLDER}/${name}`);
      return written;
    });
  }

  override async list(): Promise<readonly StoredBackup[]> {
    const found: StoredBackup[] = [];
    for await (const { key } of this.blobs.list(`${FOLDER}/`)) found.push(...storedAs(key.slice(FOLDER.length + 1)));
    return found;
  }

  override remove(name: string): Promise<void> {
    return this.blobs.remove(`${FOLDER}/${name}`);
  }

  override read<Result>(name: string, work: (path: string) => Promise<Result>): Promise<Result> {
    return this.withFile(async (path) => {
      await pipeline(await this.blobs.open(`${FOLDER}/${name}`), createWriteStream(path, { mode: 0o600 }));
      return work(path);
    });
  }

  private async withFile<Result>(work: (path: string) => Promise<Result>): Promise<Result> {
    const path = await this.temporary.path();
    try {
      return await work(path);
    } finally {
      await this.temporary.discard(path);
    }
  }
}

/** Makes the store that BACKUP_TO names. */
export function makeBackupStore(config: Config, blobs: BlobStore, temporary: TemporaryFiles): BackupStore {
  const { backupTo = join(config.dataDir, FOLDER), s3Bucket } = config;
  return backupTo === 'bucket' && s3Bucket !== undefined
    ? new BucketBackupStore(s3Bucket, blobs, temporary)
    : new FolderBackupStore(backupTo);
}
