import { Injectable, type OnModuleInit } from '@nestjs/common';
import { LicensesService } from '../../licensing/index.js';
import { PurchasesRepository } from './purchases.repository.js';

/** Tells the license desk which licenses belong to an order. */
@Injectable()
export class PurchaseOrdersService implements OnModuleInit {
  constructor(
    private readonly licenses: LicensesService,
    private readonly purchases: PurchasesRepository,
  ) {}

  onModuleInit(): void {
    this.licenses.seekingOrder.add(async ({ tenantId, order, licenseIds }) => {
      licenseIds.push(...(await this.purchases.licenseIdsOf(tenantId, order)));
    });
  }
}
