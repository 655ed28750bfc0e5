import { Module } from '@nestjs/common';
import { BackupModule } from '../backup/index.js';
import { AccountsModule } from '../../platform/accounts/index.js';
import { MailModule } from '../../platform/mail/index.js';
import { BackupWatchService } from './backup-watch.service.js';
import { InstanceController } from './instance.controller.js';
import { InstanceMetrics } from './instance-metrics.js';
import { InstanceRepository } from './instance.repository.js';
import { InstanceService } from './instance.service.js';

@Module({
  imports: [BackupModule, AccountsModule, MailModule],
  controllers: [InstanceController],
  providers: [InstanceService, InstanceRepository, InstanceMetrics, BackupWatchService],
})
export class InstanceModule {}
