import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailDeliveryWorker } from './mail-delivery.worker.js';
import { MailEntity } from './mail.entity.js';
import { MailLimitsService } from './mail-limits.service.js';
import { MailRepository } from './mail.repository.js';
import { OutboxService } from './outbox.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([MailEntity])],
  providers: [MailRepository, MailLimitsService, OutboxService, MailDeliveryWorker],
  exports: [MailLimitsService, OutboxService],
})
export class MailModule {}
