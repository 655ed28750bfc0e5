import { Injectable, type OnModuleInit } from '@nestjs/common';
import { LicensesService } from '../../licensing/index.js';
import { PurchasesRepository } from './purchases.repository.js';

/** Finds the licenses of a processor's order for searches and exports of licenses. */
@Injectable()
export class PurchaseOrdersService implements OnModuleInit {
  constructor(
    private readonly licenses: LicensesService,
    private readonly purchases: PurchasesRepository,
  ) {}

  onModuleInit(): void {
    this.licenses.orderLookup.add(async ({ tenantId, orders, licenseIds }) => {
      licenseIds.push(...(await this.purchases.licenseIdsOf(tenantId, orders)));
    });
  }
}
