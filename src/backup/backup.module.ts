import { Module } from '@nestjs/common';
import { Config } from '../common/config/index.js';
import { BlobStore, TemporaryFiles } from '../common/storage/index.js';
import { Clock } from '../common/system/index.js';
import { BackupStore, makeBackupStore } from './backup-store.js';
import { BackupsService } from './backups.service.js';
import { DatabaseDumpRepository } from './database-dump.repository.js';

/** Backups of the database and the packages. */
@Module({
  providers: [
    BackupsService,
    DatabaseDumpRepository,
    { provide: BackupStore, inject: [Config, BlobStore, TemporaryFiles, Clock], useFactory: makeBackupStore },
  ],
  exports: [BackupsService],
})
export class BackupModule {}
