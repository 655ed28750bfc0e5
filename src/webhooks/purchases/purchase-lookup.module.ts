import { Global, Module } from '@nestjs/common';
import { PurchaseLookup } from '../../licensing/index.js';
import { PurchaseLookupService } from './purchase-lookup.service.js';
import { PurchasesRepository } from './purchases.repository.js';

/** Provides what licensing asks about purchases. Global, because licensing cannot import a module above it. */
@Global()
@Module({
  providers: [PurchasesRepository, { provide: PurchaseLookup, useClass: PurchaseLookupService }],
  exports: [PurchasesRepository, PurchaseLookup],
})
export class PurchaseLookupModule {}
