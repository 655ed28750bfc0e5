import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CredentialsModule } from '../credentials/index.js';
import { AccountsModule } from '../platform/accounts/index.js';
import { RegistryModule } from '../registry/index.js';
import { StoresModule } from '../stores/index.js';
import { SigningKeyEntity, SigningKeysController, SigningKeysRepository, SigningKeysService } from './signing/index.js';
import { TargetEntity } from './target.entity.js';
import { DestinationsService } from './destinations.service.js';
import { StoreLinksService } from './store-links.service.js';
import { TargetStatusEntity } from './status/target-status.entity.js';
import { TargetStatusRepository } from './status/target-status.repository.js';
import { NewTargetsService } from './new-targets.service.js';
import { TargetCredentialsService } from './target-credentials.service.js';
import { TargetViewsService } from './target-views.service.js';
import { TargetsController } from './targets.controller.js';
import { TargetsRepository } from './targets.repository.js';
import { TargetsService } from './targets.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([TargetEntity, TargetStatusEntity, SigningKeyEntity]),
    AccountsModule,
    RegistryModule,
    CredentialsModule,
    StoresModule,
  ],
  controllers: [TargetsController, SigningKeysController],
  providers: [
    DestinationsService,
    NewTargetsService,
    SigningKeysRepository,
    SigningKeysService,
    StoreLinksService,
    TargetCredentialsService,
    TargetsRepository,
    TargetsService,
    TargetStatusRepository,
    TargetViewsService,
  ],
  exports: [
    DestinationsService,
    NewTargetsService,
    SigningKeysService,
    StoreLinksService,
    TargetsRepository,
    TargetsService,
    TargetStatusRepository,
  ],
})
export class TargetsModule {}
