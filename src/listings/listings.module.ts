import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CredentialsModule } from '../credentials/index.js';
import { ReconcileModule } from '../reconcile/index.js';
import { RegistryModule } from '../registry/index.js';
import { StoresModule } from '../stores/index.js';
import { TargetsModule } from '../targets/index.js';
import { FiguresRepository } from './figures/figures.repository.js';
import { StoreFigureEntity } from './figures/store-figure.entity.js';
import { StoreReportsService } from './figures/store-reports.service.js';
import { ListingReadingEntity } from './listing-reading.entity.js';
import { ListingReaderService } from './listing-reader.service.js';
import { ListingsController } from './listings.controller.js';
import { ListingsWorker } from './listings.worker.js';
import { ReadingsRepository } from './readings.repository.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([ListingReadingEntity, StoreFigureEntity]),
    CredentialsModule,
    ReconcileModule,
    RegistryModule,
    StoresModule,
    TargetsModule,
  ],
  controllers: [ListingsController],
  providers: [FiguresRepository, ListingReaderService, ListingsWorker, ReadingsRepository, StoreReportsService],
})
export class ListingsModule {}
