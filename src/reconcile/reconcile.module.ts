import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ArtifactsModule } from '../artifacts/index.js';
import { CredentialsModule } from '../credentials/index.js';
import { RegistryModule } from '../registry/index.js';
import { StoresModule } from '../stores/index.js';
import { TargetsModule } from '../targets/index.js';
import { Executor } from './executor.service.js';
import { ReconcileController } from './reconcile.controller.js';
import { ReconcileService } from './reconcile.service.js';
import { Reconciler } from './reconciler.service.js';
import { ReleaseEntity } from './releases/release.entity.js';
import { ReleasesService } from './releases/releases.service.js';
import { Scheduler } from './scheduler.service.js';
import { StoreBudgetEntity } from './store-budget.entity.js';
import { StoreBudget } from './store-budget.js';
import { TargetRecord } from './target-record.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([ReleaseEntity, StoreBudgetEntity]),
    RegistryModule,
    CredentialsModule,
    TargetsModule,
    ArtifactsModule,
    StoresModule,
  ],
  controllers: [ReconcileController],
  providers: [Executor, ReconcileService, Reconciler, ReleasesService, Scheduler, StoreBudget, TargetRecord],
  exports: [Scheduler],
})
export class ReconcileModule {}
