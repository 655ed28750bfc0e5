import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { pageHeaders } from '../../common/http/index.js';
import { BrandingModule } from '../branding/index.js';
import { MembersModule } from '../members/index.js';
import { LicensingModule } from '../licensing.module.js';
import { MailModule } from '../../platform/mail/index.js';
import { BuyerCookie } from './sign-in/buyer-cookie.js';
import { BuyerLinksRepository } from './sign-in/buyer-links.repository.js';
import { BuyerSessionsRepository } from './sign-in/buyer-sessions.repository.js';
import { BuyerController } from './buyer.controller.js';
import { BuyerLinkEntity, BuyerSessionEntity } from './buyer.entity.js';
import { BuyerLinksService } from './sign-in/buyer-links.service.js';
import { ForgottenBuyersService } from './sign-in/forgotten-buyers.service.js';
import { BuyerLicensesService } from './buyer-licenses.service.js';
import { BuyerService } from './buyer.service.js';
import { BuyerSessionsService } from './sign-in/buyer-sessions.service.js';
import { BuyerTeamController } from './team/buyer-team.controller.js';
import { BuyerTeamService } from './team/buyer-team.service.js';
import { BuyerPageFilter } from './buyer-page.filter.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([BuyerLinkEntity, BuyerSessionEntity]),
    LicensingModule,
    BrandingModule,
    MailModule,
    MembersModule,
  ],
  controllers: [BuyerController, BuyerTeamController],
  providers: [
    BuyerService,
    BuyerTeamService,
    BuyerLicensesService,
    BuyerLinksService,
    ForgottenBuyersService,
    BuyerLinksRepository,
    BuyerSessionsService,
    BuyerSessionsRepository,
    BuyerCookie,
    BuyerPageFilter,
  ],
  exports: [BuyerPageFilter, BuyerSessionsService, BuyerCookie],
})
export class BuyerModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(pageHeaders).forRoutes(BuyerController, BuyerTeamController);
  }
}
