import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CredentialsModule } from '../credentials/index.js';
import { DeliveryModule } from '../delivery/index.js';
import { LicensingModule } from '../licensing/index.js';
import { PaymentsModule } from '../payments/index.js';
import { InboxController } from './inbox.controller.js';
import { InboxItemEntity } from './inbox-item.entity.js';
import { InboxService } from './inbox.service.js';
import { PaymentCustomerEntity, PurchaseEntity, PurchaseRefEntity } from './purchase.entity.js';
import { PurchasesService } from './purchases.service.js';
import { WebhooksController } from './webhooks.controller.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([InboxItemEntity, PurchaseEntity, PurchaseRefEntity, PaymentCustomerEntity]),
    CredentialsModule,
    PaymentsModule,
    LicensingModule,
    DeliveryModule,
  ],
  controllers: [WebhooksController, InboxController],
  providers: [InboxService, PurchasesService],
})
export class WebhooksModule {}
