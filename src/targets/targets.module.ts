import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CredentialsModule } from '../credentials/index.js';
import { RegistryModule } from '../registry/index.js';
import { StoresModule } from '../stores/index.js';
import { TargetEntity } from './target.entity.js';
import { TargetWork } from './target-work.js';
import { TargetsController } from './targets.controller.js';
import { TargetsService } from './targets.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([TargetEntity]), RegistryModule, CredentialsModule, StoresModule],
  controllers: [TargetsController],
  providers: [TargetsService, TargetWork],
  exports: [TargetsService, TargetWork],
})
export class TargetsModule {}
