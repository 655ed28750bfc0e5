import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from '../platform/access/index.js';
import { AccountsModule } from '../platform/accounts/index.js';
import { EventEntity } from './timeline/event.entity.js';
import { EventsRepository } from './timeline/events.repository.js';
import { EventsService } from './timeline/events.service.js';
import { ExtensionEntity } from './extension.entity.js';
import { ExtensionsController } from './extensions.controller.js';
import { ExtensionsRepository } from './extensions.repository.js';
import { ExtensionsService } from './extensions.service.js';

/** Extensions and their timelines. */
@Module({
  imports: [TypeOrmModule.forFeature([ExtensionEntity, EventEntity]), AccessModule, AccountsModule],
  controllers: [ExtensionsController],
  providers: [ExtensionsService, ExtensionsRepository, EventsService, EventsRepository],
  exports: [ExtensionsService, EventsService],
})
export class RegistryModule {}
