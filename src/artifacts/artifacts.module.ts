import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../platform/accounts/index.js';
import { RegistryModule } from '../registry/index.js';
import { StoresModule } from '../stores/index.js';
import { TargetsModule } from '../targets/index.js';
import {
  ApprovalEntity,
  ApprovalsController,
  ApprovalsRepository,
  ApprovalsService,
  DecisionsService,
} from './approvals/index.js';
import { ArtifactEntity } from './artifact.entity.js';
import { ArtifactsController } from './artifacts.controller.js';
import { PinnedVersionsModule } from './pinned-versions.module.js';
import { ArtifactsService } from './artifacts.service.js';
import { BlobEntity } from './packages/blob.entity.js';
import { ComparisonController, ComparisonService, ServedPackagesService } from './comparison/index.js';
import { FindingOverrideEntity, FindingsController, FindingsRepository, FindingsService } from './findings/index.js';
import { IconsController, IconsService } from './icons/index.js';
import { PushJudgementService } from './pinning/push-judgement.service.js';
import { BlobsRepository, PackageReader, PackagesService, UploadLimitsService } from './packages/index.js';
import { PushesService } from './pinning/pushes.service.js';
import { RollbacksController } from './pinning/rollbacks.controller.js';
import { RollbacksService } from './pinning/rollbacks.service.js';
import { SourcesService } from './pinning/sources.service.js';
import { VersionsService } from './pinning/versions.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([ApprovalEntity, ArtifactEntity, BlobEntity, FindingOverrideEntity]),
    AccountsModule,
    RegistryModule,
    StoresModule,
    TargetsModule,
    PinnedVersionsModule,
  ],
  controllers: [
    ApprovalsController,
    ArtifactsController,
    ComparisonController,
    FindingsController,
    IconsController,
    RollbacksController,
  ],
  providers: [
    ApprovalsRepository,
    ApprovalsService,
    DecisionsService,
    ArtifactsService,
    BlobsRepository,
    ComparisonService,
    FindingsRepository,
    FindingsService,
    IconsService,
    PackageReader,
    PackagesService,
    PushJudgementService,
    PushesService,
    VersionsService,
    RollbacksService,
    ServedPackagesService,
    SourcesService,
    UploadLimitsService,
  ],
  exports: [ApprovalsService, ArtifactsService, FindingsService, ServedPackagesService],
})
export class ArtifactsModule {}
