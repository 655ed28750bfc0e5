import { Injectable } from '@nestjs/common';
import { LicensePlansService, type SoldPlans } from '../../licensing/index.js';
import { type PaymentRecord, plansNamedIn, productsOf } from '../ledger/index.js';
import { UnrelatedProductsRepository } from './unrelated-products.repository.js';
import type { Seller } from '../seller.js';
import { licensesOwed, unlistedProducts, type Order } from './licenses-owed.js';

/** Orders of licenses for purchases, by the plans of their seller. */
@Injectable()
export class OwedLicensesService {
  constructor(
    private readonly plans: LicensePlansService,
    private readonly unrelated: UnrelatedProductsRepository,
  ) {}

  /** The licenses that purchases are for. */
  async ordersOf(seller: Seller, purchases: readonly PaymentRecord[]): Promise<ReadonlyMap<PaymentRecord, Order>> {
    const plans = await this.plansFor(seller, purchases);
    const orders = new Map(purchases.map((paid) => [paid, licensesOwed(paid, plans)]));
    // Only the sales of somebody who sells other things as well look for what is unrelated.
    const open = purchases.filter((paid) => orders.get(paid)?.unmapped != null);
    const unrelated = await this.unrelated.among(seller, open.flatMap(productsOf));
    for (const paid of open) orders.set(paid, licensesOwed(paid, plans, unrelated));
    return orders;
  }

  /** The products of a purchase that no plan lists. */
  async unlistedProductsIn(seller: Seller, paid: PaymentRecord): Promise<readonly string[]> {
    return unlistedProducts(paid, await this.plansFor(seller, [paid]));
  }

  private plansFor({ tenantId, processor }: Seller, purchases: readonly PaymentRecord[]): Promise<SoldPlans> {
    return this.plans.findSold(tenantId, {
      processor,
      planIds: [...new Set(purchases.flatMap(plansNamedIn))],
      productIds: [...new Set(purchases.flatMap(productsOf))],
    });
  }
}
