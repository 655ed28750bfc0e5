import { Module, type DynamicModule } from '@nestjs/common';
import { CommonModule, type Runtime } from '../../common/common.module.js';
import { AuditModule } from '../../platform/audit/index.js';
import { TenantExtensionsModule } from '../../registry/index.js';
import { BackupModule } from '../backup/index.js';
import { OperatorModule } from './operator/index.js';

/** The modules that the operator's commands need. */
@Module({})
export class AdminModule {
  static with(runtime: Runtime): DynamicModule {
    return {
      module: AdminModule,
      imports: [CommonModule.with(runtime), AuditModule, TenantExtensionsModule, OperatorModule, BackupModule],
    };
  }
}
