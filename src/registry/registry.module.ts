import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../platform/accounts/index.js';
import { EventEntity } from './timeline/event.entity.js';
import { EventsRepository } from './timeline/events.repository.js';
import { EventsService } from './timeline/events.service.js';
import { ExtensionEntity } from './extension.entity.js';
import { ExtensionsController } from './extensions.controller.js';
import { ExtensionsService } from './extensions.service.js';
import { TenantExtensionsModule } from './tenant-extensions.module.js';

/** Extensions and their timelines. */
@Module({
  imports: [TypeOrmModule.forFeature([ExtensionEntity, EventEntity]), TenantExtensionsModule, AccountsModule],
  controllers: [ExtensionsController],
  providers: [ExtensionsService, EventsService, EventsRepository],
  exports: [ExtensionsService, EventsService],
})
export class RegistryModule {}
