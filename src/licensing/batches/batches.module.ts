import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailModule } from '../../platform/mail/index.js';
import { RegistryModule } from '../../registry/index.js';
import { DeliveryModule } from '../delivery/index.js';
import { LicensingModule } from '../licensing.module.js';
import { BatchesController } from './batches.controller.js';
import { LicenseBatchEntity } from './license-batch.entity.js';
import { LicenseBatchesRepository } from './license-batches.repository.js';
import { LicenseBatchesService } from './license-batches.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([LicenseBatchEntity]),
    RegistryModule,
    LicensingModule,
    DeliveryModule,
    MailModule,
  ],
  controllers: [BatchesController],
  providers: [LicenseBatchesService, LicenseBatchesRepository],
})
export class BatchesModule {}
