import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/index.js';
import { PaymentsModule } from '../payments/index.js';
import { StoresModule } from '../stores/index.js';
import { OverviewController } from './overview.controller.js';
import { OverviewRepository } from './overview.repository.js';
import { OverviewService } from './overview.service.js';
import { ChangesRepository } from './stream/changes.repository.js';
import { StreamController } from './stream/stream.controller.js';
import { StreamService } from './stream/stream.service.js';

/** What a tenant sees of everything at once. */
@Module({
  imports: [IdentityModule, StoresModule, PaymentsModule],
  controllers: [OverviewController, StreamController],
  providers: [OverviewService, OverviewRepository, StreamService, ChangesRepository],
})
export class OverviewModule {}
