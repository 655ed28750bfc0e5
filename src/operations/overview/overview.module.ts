import { Module } from '@nestjs/common';
import { AccessModule } from '../../platform/access/index.js';
import { LicensingModule } from '../../licensing/index.js';
import { PaymentsModule } from '../../payments/index.js';
import { StoresModule } from '../../stores/index.js';
import { HomeRepository } from './home/home.repository.js';
import { WeekService } from './home/week.service.js';
import { NeedsService } from './needs/needs.service.js';
import { OverviewController } from './overview.controller.js';
import { OverviewRepository } from './overview.repository.js';
import { OverviewService } from './overview.service.js';
import { SearchController } from './search/search.controller.js';
import { SearchRepository } from './search/search.repository.js';
import { SearchService } from './search/search.service.js';
import { ChangesRepository } from './stream/changes.repository.js';
import { StreamController } from './stream/stream.controller.js';
import { StreamService } from './stream/stream.service.js';

/** A tenant's view of everything: overview, stream of changes and search. */
@Module({
  imports: [AccessModule, StoresModule, PaymentsModule, LicensingModule],
  controllers: [OverviewController, SearchController, StreamController],
  providers: [
    OverviewService,
    OverviewRepository,
    NeedsService,
    HomeRepository,
    WeekService,
    SearchService,
    SearchRepository,
    StreamService,
    ChangesRepository,
  ],
})
export class OverviewModule {}
