import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Config } from '../../common/config/index.js';
import { BlobStore, TemporaryFiles } from '../../common/storage/index.js';
import { BackupRunEntity } from './backup-run.entity.js';
import { BackupRunsRepository } from './backup-runs.repository.js';
import { BackupRunsService } from './backup-runs.service.js';
import { BackupStore, makeBackupStore } from './backup-store.js';
import { BackupWorker } from './backup.worker.js';
import { BackupsService } from './backups.service.js';
import { DatabaseDumpRepository } from './database-dump.repository.js';

/** Backups of the database and the packages. */
@Module({
  imports: [TypeOrmModule.forFeature([BackupRunEntity])],
  providers: [
    BackupsService,
    BackupRunsService,
    BackupRunsRepository,
    DatabaseDumpRepository,
    { provide: BackupStore, inject: [Config, BlobStore, TemporaryFiles], useFactory: makeBackupStore },
  ],
  exports: [BackupRunsService, BackupRunsRepository],
})
export class BackupModule {}

/** The worker that makes scheduled backups. The operator's commands do not import it. */
@Module({ imports: [BackupModule], providers: [BackupWorker] })
export class BackupScheduleModule {}
