import { Module } from '@nestjs/common';
import { RegistryModule } from '../registry/index.js';
import { AnalyticsController } from './analytics.controller.js';
import { PartitionsRepository } from './partitions.repository.js';
import { InstallDigest } from './ping/install-digest.js';
import { PingsRepository } from './ping/pings.repository.js';
import { PingsService } from './ping/pings.service.js';
import { FiguresRepository } from './report/figures.repository.js';
import { ReportsService } from './report/reports.service.js';
import { RollUpRepository } from './roll-up.repository.js';
import { RollUpService } from './roll-up.service.js';

/** Pings, their daily roll-up, and reports. */
@Module({
  imports: [RegistryModule],
  controllers: [AnalyticsController],
  providers: [
    PartitionsRepository,
    InstallDigest,
    PingsService,
    PingsRepository,
    RollUpService,
    RollUpRepository,
    ReportsService,
    FiguresRepository,
  ],
})
export class AnalyticsModule {}
