import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditController } from './audit.controller.js';
import { AuditEntriesRepository } from './audit-entries.repository.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { AuditLog } from './audit-log.js';
import { AuditPurgeService } from './audit-purge.service.js';
import { AuditService } from './audit.service.js';

/** The audit log. Global, since every feature records its changes there. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([AuditEntryEntity])],
  controllers: [AuditController],
  providers: [AuditLog, AuditService, AuditPurgeService, AuditEntriesRepository],
  exports: [AuditLog],
})
export class AuditModule {}
