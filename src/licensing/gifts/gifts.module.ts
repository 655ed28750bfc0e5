import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { pageHeaders } from '../../common/http/index.js';
import { MailModule } from '../../platform/mail/index.js';
import { BrandingModule } from '../branding/index.js';
import { DeliveryModule } from '../delivery/index.js';
import { LicensingModule } from '../licensing.module.js';
import { BuyerPageFilter } from '../buyer/index.js';
import { GiftCookie } from './gift-cookie.js';
import { GiftPagesService } from './gift-pages.service.js';
import { GiftsController } from './gifts.controller.js';
import { GiftsService } from './gifts.service.js';
import { LicenseGiftEntity } from './license-gift.entity.js';
import { LicenseGiftsRepository } from './license-gifts.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([LicenseGiftEntity]), LicensingModule, DeliveryModule, BrandingModule, MailModule],
  controllers: [GiftsController],
  providers: [GiftsService, GiftPagesService, LicenseGiftsRepository, GiftCookie, BuyerPageFilter],
  exports: [GiftsService],
})
export class GiftsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(pageHeaders).forRoutes(GiftsController);
  }
}
