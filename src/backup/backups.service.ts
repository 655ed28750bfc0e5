import { mkdir, rm } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { Config } from '../common/config/index.js';
import { BlobStore, TemporaryFiles } from '../common/storage/index.js';
import { Clock, VERSION } from '../common/system/index.js';
import { writeBackup } from './backup-archive.js';
import { BackupStore, nameOf, type StoredBackup } from './backup-store.js';
import { DatabaseDumpRepository } from './database-dump.repository.js';
import { isEncrypted, type BackupEncryption } from './encryption.js';
import { outlived } from './retention.js';

/** A backup that was just made. */
export interface MadeBackup {
  readonly name: string;
  readonly place: string;
  /** In bytes. */
  readonly size: number;
  readonly sha256: string;
  readonly rows: number;
  readonly packages: number;
  readonly isEncrypted: boolean;
  /** `SETTING id` of each key that the backup is worth nothing without, and that it does not contain. */
  readonly keys: readonly string[];
  /** Names of older backups that were deleted after it. */
  readonly deleted: readonly string[];
}

/** Makes backups, and deletes those that the rule no longer keeps. */
@Injectable()
export class BackupsService {
  constructor(
    private readonly database: DatabaseDumpRepository,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly blobs: BlobStore,
    private readonly temporary: TemporaryFiles,
    private readonly store: BackupStore,
  ) {}

  /** Makes a backup of the database at one moment, and of the packages. Nothing is stored when it fails or is killed. */
  async make(): Promise<MadeBackup> {
    const createdAt = this.clock.now();
    const folder = await this.temporary.path();
    await mkdir(folder, { mode: 0o700 });
    try {
      const dump = await this.database.dump(folder);
      const { s3Bucket } = this.config;
      const manifest = {
        format: 1,
        createdAt: createdAt.toISOString(),
        version: VERSION,
        ...dump,
        packagesIn: s3Bucket === undefined ? 'included' : { bucket: s3Bucket },
      } as const;
      const name = nameOf(createdAt, isEncrypted(this.encryption));
      const written = await this.store.save(name, (path) =>
        writeBackup(path, folder, manifest, this.blobs, this.encryption),
      );
      return {
        name,
        place: this.store.place,
        ...written,
        rows: dump.tables.reduce((sum, { rows }) => sum + rows, 0),
        packages: dump.packages.length,
        isEncrypted: isEncrypted(this.encryption),
        keys: dump.keys.map(({ setting, id }) => `${setting} ${id}`.trim()),
        deleted: await this.deleteOutlived(),
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** The backups that there are, newest first. */
  async list(): Promise<readonly StoredBackup[]> {
    const backups = await this.store.list();
    return backups.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  }

  private async deleteOutlived(): Promise<readonly string[]> {
    const backups = outlived(await this.store.list(), this.config.backupKeep);
    for (const { name } of backups) await this.store.remove(name);
    return backups.map(({ name }) => name);
  }

  private get encryption(): BackupEncryption {
    const { backupRecipients: recipients = [], backupPassphrase: passphrase } = this.config;
    return { recipients, passphrase };
  }
}
