import { mkdir } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { Config } from '../../common/config/index.js';
import { BlobStore, TemporaryFiles } from '../../common/storage/index.js';
import { Sealer } from '../../common/sealing/index.js';
import { Clock, COMMIT, VERSION } from '../../common/system/index.js';
import { writeBackup } from './backup-archive.js';
import { BackupStore, nameOf, type StoredBackup } from './backup-store.js';
import { DatabaseDumpRepository } from './database-dump.repository.js';
import { isEncrypted, type BackupEncryption } from './encryption.js';
import { backupsToDelete } from './retention.js';

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
  /** `SETTING id` of each key that a restore needs; the backup does not contain them. */
  readonly keys: readonly string[];
  /** Names of the older backups that were deleted afterwards. */
  readonly deleted: readonly string[];
}

/** Makes backups, and deletes those that BACKUP_KEEP does not keep. */
@Injectable()
export class BackupsService {
  constructor(
    private readonly database: DatabaseDumpRepository,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly blobs: BlobStore,
    private readonly temporary: TemporaryFiles,
    private readonly store: BackupStore,
    private readonly sealer: Sealer,
  ) {}

  /** Makes a backup of the database at one moment, and of the packages. Nothing is stored when it fails or is killed. */
  async make(): Promise<MadeBackup> {
    const createdAt = this.clock.now();
    await this.temporary.removeAbandoned();
    const folder = await this.temporary.path();
    try {
      await mkdir(folder, { mode: 0o700 });
      const dump = await this.database.dump(folder);
      const { s3Bucket } = this.config;
      const manifest = {
        format: 1,
        createdAt: createdAt.toISOString(),
        version: VERSION,
        commit: COMMIT,
        ...dump,
        packagesIn: s3Bucket === undefined ? 'included' : { bucket: s3Bucket },
      } as const;
      const name = nameOf(createdAt, isEncrypted(this.encryption));
      const written = await this.store.save(name, (path) =>
        writeBackup(path, folder, manifest, this.blobs, this.encryption, this.sealer),
      );
      return {
        name,
        place: this.store.place,
        ...written,
        rows: dump.tables.reduce((sum, { rows }) => sum + rows, 0),
        packages: dump.packages.length,
        isEncrypted: isEncrypted(this.encryption),
        keys: dump.keys.map(({ setting, id }) => `${setting} ${id}`.trim()),
        deleted: await this.deleteOld(),
      };
    } finally {
      await this.temporary.discard(folder);
    }
  }

  /** Lists the stored backups, newest first. */
  async list(): Promise<readonly StoredBackup[]> {
    const backups = await this.store.list();
    return backups.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  }

  private async deleteOld(): Promise<readonly string[]> {
    const backups = backupsToDelete(await this.store.list(), this.config.backupKeep, this.clock.now());
    for (const { name } of backups) await this.store.remove(name);
    return backups.map(({ name }) => name);
  }

  private get encryption(): BackupEncryption {
    const { backupRecipients: recipients = [], backupPassphrase: passphrase } = this.config;
    return { recipients, passphrase };
  }
}
