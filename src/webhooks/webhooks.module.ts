import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CredentialsModule } from '../credentials/index.js';
import { DeliveryModule, LicensingModule } from '../licensing/index.js';
import { NotificationsModule } from '../notifications/index.js';
import { PaymentsModule } from '../payments/index.js';
import { RegistryModule } from '../registry/index.js';
import { BuyerErasureService } from './inbox/buyer-erasure.service.js';
import { BodyMemory } from './body-memory.js';
import { InboxController } from './inbox/inbox.controller.js';
import { InboxItemEntity } from './inbox/inbox-item.entity.js';
import { InboxRepository } from './inbox/inbox.repository.js';
import { InboxService } from './inbox/inbox.service.js';
import { NotificationHandler } from './inbox/notification-handler.service.js';
import { NotificationIntake } from './inbox/notification-intake.service.js';
import { WebhookSummaryService } from './inbox/webhook-summary.service.js';
import {
  PaymentCustomerEntity,
  PurchaseEntity,
  PurchaseLicenseEntity,
  PurchaseRefEntity,
  ReturningCustomerEntity,
} from './purchases/purchase.entity.js';
import { BuyerAddressesService } from './purchases/buyer-addresses.service.js';
import { PurchaseLookupModule } from './purchases/purchase-lookup.module.js';
import { ContinuedLicensesService } from './purchases/continued-licenses.service.js';
import { ImportedLicensesService } from './purchases/imported-licenses.service.js';
import { LicenseChangesService } from './purchases/license-changes.service.js';
import { LicenseSlotsService } from './purchases/license-slots.service.js';
import { SharedLicensesService } from './purchases/shared-licenses.service.js';
import { IssuedLicensesService } from './purchases/issued-licenses.service.js';
import { OwedLicensesService } from './purchases/owed-licenses.service.js';
import { PurchaseLicensesService } from './purchases/purchase-licenses.service.js';
import { PurchasesService } from './purchases/purchases.service.js';
import { ReturningCustomersRepository } from './purchases/returning-customers.repository.js';
import { ReturningCustomersService } from './purchases/returning-customers.service.js';
import { UnrelatedProductEntity } from './purchases/unrelated-product.entity.js';
import { UnrelatedProductsController } from './inbox/unrelated-products.controller.js';
import { UnrelatedProductsRepository } from './purchases/unrelated-products.repository.js';
import { UnrelatedProductsService } from './inbox/unrelated-products.service.js';
import { OrderPlansService } from './orders/order-plans.service.js';
import { OrdersController } from './orders/orders.controller.js';
import { OrdersRepository } from './orders/orders.repository.js';
import { OrdersService } from './orders/orders.service.js';
import { SalesController } from './sales/sales.controller.js';
import { SalesRepository } from './sales/sales.repository.js';
import { SalesService } from './sales/sales.service.js';
import { SellerQueue } from './seller-queue.js';
import { WebhooksController } from './webhooks.controller.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([
      InboxItemEntity,
      PurchaseEntity,
      PurchaseLicenseEntity,
      PurchaseRefEntity,
      PaymentCustomerEntity,
      ReturningCustomerEntity,
      UnrelatedProductEntity,
    ]),
    PurchaseLookupModule,
    RegistryModule,
    CredentialsModule,
    PaymentsModule,
    LicensingModule,
    DeliveryModule,
    NotificationsModule,
  ],
  controllers: [WebhooksController, InboxController, UnrelatedProductsController, OrdersController, SalesController],
  providers: [
    InboxRepository,
    BodyMemory,
    SellerQueue,
    InboxService,
    NotificationHandler,
    NotificationIntake,
    WebhookSummaryService,
    PurchasesService,
    OwedLicensesService,
    ContinuedLicensesService,
    ImportedLicensesService,
    LicenseChangesService,
    LicenseSlotsService,
    SharedLicensesService,
    IssuedLicensesService,
    PurchaseLicensesService,
    BuyerErasureService,
    BuyerAddressesService,
    ReturningCustomersService,
    ReturningCustomersRepository,
    UnrelatedProductsRepository,
    UnrelatedProductsService,
    OrdersRepository,
    OrdersService,
    OrderPlansService,
    SalesRepository,
    SalesService,
  ],
})
export class WebhooksModule {}
