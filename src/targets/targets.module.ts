import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CredentialsModule } from '../credentials/index.js';
import { IdentityModule } from '../identity/index.js';
import { RegistryModule } from '../registry/index.js';
import { StoresModule } from '../stores/index.js';
import { TargetEntity } from './target.entity.js';
import { TargetPlaces } from './target-places.js';
import { TargetWork } from './target-work.js';
import { TargetsController } from './targets.controller.js';
import { TargetsService } from './targets.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([TargetEntity]), IdentityModule, RegistryModule, CredentialsModule, StoresModule],
  controllers: [TargetsController],
  providers: [TargetPlaces, TargetsService, TargetWork],
  exports: [TargetPlaces, TargetsService, TargetWork],
})
export class TargetsModule {}
