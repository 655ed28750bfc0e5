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

  /** The licenses that a purchase is for. */
  async orderOf(seller: Seller, paid: PaymentRecord): Promise<Order> {
    const plans = await this.plansFor(seller, paid);
    const order = licensesOwed(paid, plans);
    // Only the sales of a shop that sells other things as well look for what is unrelated.
    if (order.unmapped === null) return order;
    return licensesOwed(paid, plans, await this.unrelated.among(seller, productsOf(paid)));
  }

  /** The products of a purchase that no plan lists. */
  async unlistedProductsIn(seller: Seller, paid: PaymentRecord): Promise<readonly string[]> {
    return unlistedProducts(paid, await this.plansFor(seller, paid));
  }

  private plansFor({ tenantId, processor }: Seller, paid: PaymentRecord): Promise<SoldPlans> {
    return this.plans.findSold(tenantId, {
      processor,
      planIds: plansNamedIn(paid),
      productIds: productsOf(paid),
    });
  }
}
