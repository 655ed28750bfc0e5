import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ArtifactsModule } from '../artifacts/index.js';
import { CredentialsModule } from '../credentials/index.js';
import { RegistryModule } from '../registry/index.js';
import { StoresModule } from '../stores/index.js';
import { TargetsModule } from '../targets/index.js';
import {
  AnnouncementGuard,
  AnnouncementsController,
  AnnouncementsService,
  StoreWebhookEntity,
  StoreWebhooksRepository,
} from './announcements/index.js';
import { ExecutorService } from './executor.service.js';
import { HoldsService } from './holds.service.js';
import { ReconcileController } from './reconcile.controller.js';
import { ReconcileService } from './reconcile.service.js';
import { TargetDriverService } from './target-driver.service.js';
import {
  PackageRefusalEntity,
  PackageRefusalsController,
  PackageRefusalsRepository,
  PackageRefusalsService,
} from './refusals/index.js';
import {
  RejectionReasonEntity,
  RejectionsController,
  RejectionsRepository,
  RejectionsService,
} from './rejections/index.js';
import { ReleaseEntity, ReleasesRepository } from './releases/index.js';
import { ReleasesService } from './releases/releases.service.js';
import { ReconcileWorker } from './reconcile.worker.js';
import { ServedFilesService } from './served-files.service.js';
import { StoreBudgetEntity } from './store-budget.entity.js';
import { StoreBudgetService } from './store-budget.service.js';
import { StoreBudgetsRepository } from './store-budgets.repository.js';
import { TransitionsService } from './transitions.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([
      PackageRefusalEntity,
      RejectionReasonEntity,
      ReleaseEntity,
      StoreBudgetEntity,
      StoreWebhookEntity,
    ]),
    RegistryModule,
    CredentialsModule,
    TargetsModule,
    ArtifactsModule,
    StoresModule,
  ],
  controllers: [AnnouncementsController, PackageRefusalsController, ReconcileController, RejectionsController],
  providers: [
    AnnouncementGuard,
    AnnouncementsService,
    ExecutorService,
    HoldsService,
    PackageRefusalsRepository,
    PackageRefusalsService,
    ReconcileService,
    TargetDriverService,
    RejectionsRepository,
    RejectionsService,
    ReleasesRepository,
    ReleasesService,
    ReconcileWorker,
    ServedFilesService,
    StoreBudgetService,
    StoreBudgetsRepository,
    StoreWebhooksRepository,
    TransitionsService,
  ],
  exports: [AnnouncementsService, ReconcileWorker, ServedFilesService, StoreBudgetService],
})
export class ReconcileModule {}
