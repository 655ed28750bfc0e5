import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LicensingModule } from '../licensing/index.js';
import { MailModule } from '../mail/index.js';
import { BuyerController } from './buyer.controller.js';
import { BuyerLinkEntity, BuyerSessionEntity } from './buyer.entity.js';
import { BuyerLinks } from './buyer-links.service.js';
import { BuyerService } from './buyer.service.js';
import { BuyerSessions } from './buyer-sessions.service.js';
import { PageFilter } from './page.filter.js';
import { PageHeaders } from './page-headers.js';

@Module({
  imports: [TypeOrmModule.forFeature([BuyerLinkEntity, BuyerSessionEntity]), LicensingModule, MailModule],
  controllers: [BuyerController],
  providers: [BuyerService, BuyerLinks, BuyerSessions, PageFilter, PageHeaders],
})
export class BuyerModule {}
