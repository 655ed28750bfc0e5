import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/index.js';
import { ChangesRepository } from './stream/changes.repository.js';
import { StreamController } from './stream/stream.controller.js';
import { StreamService } from './stream/stream.service.js';

/** What a tenant sees of everything at once. */
@Module({
  imports: [IdentityModule],
  controllers: [StreamController],
  providers: [StreamService, ChangesRepository],
})
export class OverviewModule {}
