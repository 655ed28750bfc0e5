import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailModule } from '../../platform/mail/index.js';
import { RegistryModule } from '../../registry/index.js';
import { DeliveryModule } from '../delivery/index.js';
import { GiftsModule } from '../gifts/index.js';
import { LicensingModule } from '../licensing.module.js';
import { BatchDeliveryService } from './batch-delivery.service.js';
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
    GiftsModule,
    MailModule,
  ],
  controllers: [BatchesController],
  providers: [LicenseBatchesService, BatchDeliveryService, LicenseBatchesRepository],
})
export class BatchesModule {}
