import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { pageHeaders } from '../../common/http/index.js';
import { MailModule } from '../../platform/mail/index.js';
import { RegistryModule } from '../../registry/index.js';
import { BrandingModule } from '../branding/index.js';
import { BuyerModule } from '../buyer/index.js';
import { DeliveryModule } from '../delivery/index.js';
import { LicensingModule } from '../licensing.module.js';
import { BuyingController } from './buying.controller.js';
import { BuyingPagesController } from './buying-pages.controller.js';
import { BuyingPagesService } from './buying-pages.service.js';
import { CheckoutsService } from './checkouts.service.js';
import { RestoreLinkEntity } from './restore-link.entity.js';
import { RestoreMailsService } from './restore-mails.service.js';
import { RestoresRepository } from './restores.repository.js';
import { RestoresService } from './restores.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([RestoreLinkEntity]),
    RegistryModule,
    LicensingModule,
    DeliveryModule,
    BrandingModule,
    BuyerModule,
    MailModule,
  ],
  controllers: [BuyingController, BuyingPagesController],
  providers: [CheckoutsService, BuyingPagesService, RestoresService, RestoreMailsService, RestoresRepository],
})
export class BuyingModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(pageHeaders).forRoutes(BuyingPagesController);
  }
}
