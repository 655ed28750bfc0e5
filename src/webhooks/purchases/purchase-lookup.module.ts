import { Global, Module } from '@nestjs/common';
import { CheckoutLinks, PurchaseLookup } from '../../licensing/index.js';
import { PaymentsModule } from '../../payments/index.js';
import { CheckoutLinksService } from './checkout-links.service.js';
import { PurchaseLookupRepository } from './purchase-lookup.repository.js';
import { PurchaseLookupService } from './purchase-lookup.service.js';
import { PurchasesRepository } from './purchases.repository.js';

/** Provides what licensing asks about purchases and processors. Global, because licensing cannot import a module above it. */
@Global()
@Module({
  imports: [PaymentsModule],
  providers: [
    PurchasesRepository,
    PurchaseLookupRepository,
    { provide: PurchaseLookup, useClass: PurchaseLookupService },
    { provide: CheckoutLinks, useClass: CheckoutLinksService },
  ],
  exports: [PurchasesRepository, PurchaseLookup, CheckoutLinks],
})
export class PurchaseLookupModule {}
