import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdentityModule } from '../identity/index.js';
import { EventEntity } from './event.entity.js';
import { EventsService } from './events.service.js';
import { ExtensionEntity } from './extension.entity.js';
import { ExtensionsController } from './extensions.controller.js';
import { ExtensionsService } from './extensions.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ExtensionEntity, EventEntity]), IdentityModule],
  controllers: [ExtensionsController],
  providers: [ExtensionsService, EventsService],
  exports: [ExtensionsService, EventsService],
})
export class RegistryModule {}
