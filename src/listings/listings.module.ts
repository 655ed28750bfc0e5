import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CredentialsModule } from '../credentials/index.js';
import { ReconcileModule } from '../reconcile/index.js';
import { RegistryModule } from '../registry/index.js';
import { StoresModule } from '../stores/index.js';
import { TargetsModule } from '../targets/index.js';
import { AnnouncementsReader } from './announcements-reader.service.js';
import { CountedUsersModule } from './counted-users.module.js';
import { FiguresReader } from './figures/figures-reader.service.js';
import { StoreFigureEntity } from './figures/store-figure.entity.js';
import { StoreReportsService } from './figures/store-reports.service.js';
import { ListingReadingEntity } from './listing-reading.entity.js';
import { ItemReaders } from './item-readers.js';
import { ListingReaderService } from './listing-reader.service.js';
import { ListingsController } from './listings.controller.js';
import { ListingsWorker } from './listings.worker.js';
import { ReadingsRepository } from './readings.repository.js';
import { ReviewAnswersService } from './reviews/review-answers.service.js';
import { ReviewsController } from './reviews/reviews.controller.js';
import { ReviewsReader } from './reviews/reviews-reader.service.js';
import { ReviewsService } from './reviews/reviews.service.js';
import { ServedFileReader } from './served-file-reader.service.js';
import { StoreReviewEntity } from './reviews/store-review.entity.js';
import { StoreReviewsRepository } from './reviews/store-reviews.repository.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([ListingReadingEntity, StoreFigureEntity, StoreReviewEntity]),
    CountedUsersModule,
    CredentialsModule,
    ReconcileModule,
    RegistryModule,
    StoresModule,
    TargetsModule,
  ],
  controllers: [ListingsController, ReviewsController],
  providers: [
    AnnouncementsReader,
    FiguresReader,
    ItemReaders,
    ListingReaderService,
    ListingsWorker,
    ReadingsRepository,
    ReviewAnswersService,
    ReviewsReader,
    ReviewsService,
    ServedFileReader,
    StoreReportsService,
    StoreReviewsRepository,
  ],
})
export class ListingsModule {}
