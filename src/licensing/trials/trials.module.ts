import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { pageHeaders } from '../../common/http/index.js';
import { MailModule } from '../../platform/mail/index.js';
import { RegistryModule } from '../../registry/index.js';
import { BrandingModule } from '../branding/index.js';
import { BuyerModule } from '../buyer/index.js';
import { LicensingModule } from '../licensing.module.js';
import { TrialConfirmationsService } from './trial-confirmations.service.js';
import { TrialDeskService } from './trial-desk.service.js';
import { TrialDayEntity, TrialEntity, TrialLinkEntity } from './trial.entity.js';
import { TrialLimitsService } from './trial-limits.service.js';
import { TrialLinksRepository } from './trial-links.repository.js';
import { TrialMailsService } from './trial-mails.service.js';
import { TrialPagesController } from './trial-pages.controller.js';
import { TrialStartsService } from './trial-starts.service.js';
import { TrialUpkeepService } from './trial-upkeep.service.js';
import { DeviceTrialsController, TrialsController } from './trials.controller.js';
import { TrialsRepository } from './trials.repository.js';
import { TrialsService } from './trials.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([TrialEntity, TrialLinkEntity, TrialDayEntity]),
    LicensingModule,
    BrandingModule,
    BuyerModule,
    MailModule,
    RegistryModule,
  ],
  controllers: [DeviceTrialsController, TrialsController, TrialPagesController],
  providers: [
    TrialsService,
    TrialStartsService,
    TrialLimitsService,
    TrialMailsService,
    TrialConfirmationsService,
    TrialDeskService,
    TrialUpkeepService,
    TrialsRepository,
    TrialLinksRepository,
  ],
})
export class TrialsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(pageHeaders).forRoutes(TrialPagesController);
  }
}
