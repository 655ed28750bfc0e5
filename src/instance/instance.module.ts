import { Module } from '@nestjs/common';
import { InstanceController } from './instance.controller.js';
import { InstanceRepository } from './instance.repository.js';
import { InstanceService } from './instance.service.js';

@Module({
  controllers: [InstanceController],
  providers: [InstanceService, InstanceRepository],
})
export class InstanceModule {}
