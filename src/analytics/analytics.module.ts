import { Module } from '@nestjs/common';
import { RegistryModule } from '../registry/index.js';
import { AnalyticsController } from './analytics.controller.js';
import { Partitions } from './partitions.service.js';
import { CountryResolver } from './ping/country.js';
import { InstallDigest } from './ping/install-digest.js';
import { PingsService } from './ping/pings.service.js';
import { FiguresService } from './report/figures.service.js';
import { ReportsService } from './report/reports.service.js';
import { RollUp } from './roll-up.service.js';

@Module({
  imports: [RegistryModule],
  controllers: [AnalyticsController],
  providers: [Partitions, CountryResolver, InstallDigest, PingsService, RollUp, FiguresService, ReportsService],
})
export class AnalyticsModule {}
