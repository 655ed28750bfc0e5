import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../../platform/accounts/index.js';
import { MailModule } from '../../platform/mail/index.js';
import { RegistryModule } from '../../registry/index.js';
import { TenantDeletionController } from './deletion/tenant-deletion.controller.js';
import { TenantDeletionEntity } from './deletion/tenant-deletion.entity.js';
import { TenantDeletionRepository } from './deletion/tenant-deletion.repository.js';
import { TenantDeletionService } from './deletion/tenant-deletion.service.js';
import { TenantDeletionWorker } from './deletion/tenant-deletion.worker.js';
import { ExportArchiveService } from './exports/export-archive.service.js';
import { ExportWorker } from './exports/export.worker.js';
import { ExportsController } from './exports/exports.controller.js';
import { ExportsRepository } from './exports/exports.repository.js';
import { ExportsService } from './exports/exports.service.js';
import { TenantExportEntity } from './exports/tenant-export.entity.js';

/** Exports of all data of a tenant, and the deletion of tenants. */
@Module({
  imports: [
    TypeOrmModule.forFeature([TenantExportEntity, TenantDeletionEntity]),
    AccountsModule,
    RegistryModule,
    MailModule,
  ],
  controllers: [ExportsController, TenantDeletionController],
  providers: [
    ExportsService,
    ExportsRepository,
    ExportArchiveService,
    ExportWorker,
    TenantDeletionService,
    TenantDeletionRepository,
    TenantDeletionWorker,
  ],
})
export class TenantDataModule {}
