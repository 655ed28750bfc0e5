import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CredentialsModule } from '../credentials/index.js';
import { DeliveryModule, LicensingModule } from '../licensing/index.js';
import { PaymentsModule } from '../payments/index.js';
import { RegistryModule } from '../registry/index.js';
import { Erasure } from './erasure.js';
import { HeldBytes } from './held-bytes.js';
import { InboxController } from './inbox.controller.js';
import { InboxItemEntity } from './inbox-item.entity.js';
import { InboxService } from './inbox.service.js';
import { PaymentCustomerEntity, PurchaseEntity, PurchaseLicenseEntity, PurchaseRefEntity } from './purchase.entity.js';
import { PurchaseLicenses } from './purchase-licenses.service.js';
import { PurchasesService } from './purchases.service.js';
import { WebhooksController } from './webhooks.controller.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([
      InboxItemEntity,
      PurchaseEntity,
      PurchaseLicenseEntity,
      PurchaseRefEntity,
      PaymentCustomerEntity,
    ]),
    CredentialsModule,
    PaymentsModule,
    LicensingModule,
    DeliveryModule,
    RegistryModule,
  ],
  controllers: [WebhooksController, InboxController],
  providers: [HeldBytes, InboxService, PurchasesService, PurchaseLicenses, Erasure],
})
export class WebhooksModule {}
