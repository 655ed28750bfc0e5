import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { pageHeaders } from '../../common/http/index.js';
import { LicensingModule } from '../licensing.module.js';
import { MailModule } from '../../mail/index.js';
import { BuyerController } from './buyer.controller.js';
import { BuyerLinkEntity, BuyerSessionEntity } from './buyer.entity.js';
import { BuyerLinks } from './buyer-links.service.js';
import { BuyerService } from './buyer.service.js';
import { BuyerSessions } from './buyer-sessions.service.js';
import { PageFilter } from './page.filter.js';

@Module({
  imports: [TypeOrmModule.forFeature([BuyerLinkEntity, BuyerSessionEntity]), LicensingModule, MailModule],
  controllers: [BuyerController],
  providers: [BuyerService, BuyerLinks, BuyerSessions, PageFilter],
})
export class BuyerModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(pageHeaders).forRoutes(BuyerController);
  }
}
