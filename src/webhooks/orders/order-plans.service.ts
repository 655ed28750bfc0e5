import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/index.js';
import { Precondition } from '../../common/http/index.js';
import { orThrow } from '../../common/problems/index.js';
import { Clock } from '../../common/system/index.js';
import { LicensePlansService } from '../../licensing/index.js';
import { AuditLog } from '../../platform/audit/index.js';
import { InboxRepository } from '../inbox/index.js';
import { OwedLicensesService, type PurchaseEntity, PurchasesRepository, PurchasesService } from '../purchases/index.js';
import type { Seller } from '../seller.js';
import { SellerQueue } from '../seller-queue.js';
import { OrderNotFound, OrderSettled } from '../webhooks.problems.js';
import type { AssignPlan, OrderDetails } from './orders.dto.js';
import { OrdersService } from './orders.service.js';

/** The plans of orders that lack one. */
@Injectable()
export class OrderPlansService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly orders: OrdersService,
    private readonly inbox: InboxRepository,
    private readonly purchases: PurchasesService,
    private readonly rows: PurchasesRepository,
    private readonly owed: OwedLicensesService,
    private readonly plans: LicensePlansService,
    private readonly queue: SellerQueue,
    private readonly audit: AuditLog,
  ) {}

  /** Gives an order the plan that it lacks, and issues its licenses. The same again changes nothing. */
  async assign(tenantId: string, id: string, { planId, remember }: AssignPlan): Promise<OrderDetails> {
    await this.plans.getOrThrow(tenantId, planId);
    const { processor } = await this.orders.find(tenantId, id);
    const seller: Seller = { tenantId, processor };
    await this.queue.run(seller, () =>
      this.tx.run(async () => {
        await this.purchases.lockSeller(seller);
        const row = orThrow(await this.rows.find(seller, id), OrderNotFound);
        if (await this.isSettled(row, planId)) return;
        if (remember === true) await this.listProducts(seller, row, planId);
        await this.handleAgain(seller, row, planId);
        await this.audit.record(tenantId, 'order.plan_assigned', row);
      }),
    );
    return this.orders.get(tenantId, id);
  }

  /** @throws OrderSettled when it has everything, by another plan */
  private async isSettled({ id, unmapped }: PurchaseEntity, planId: string): Promise<boolean> {
    const slots = await this.rows.findLicensesOf([id]);
    if (slots.length === 0 || unmapped !== null) return false;
    if (slots.some((slot) => slot.planId === planId)) return true;
    throw new OrderSettled();
  }

  private async listProducts(seller: Seller, { paid }: PurchaseEntity, planId: string): Promise<void> {
    const { tenantId, processor } = seller;
    const unlisted = await this.owed.unlistedProductsIn(seller, paid);
    if (unlisted.length === 0) return;
    await this.plans.getForUpdate(tenantId, planId);
    const { products } = await this.plans.get(tenantId, planId);
    const added = unlisted.map((productId) => ({ processor, productId }));
    await this.plans.setProducts(tenantId, planId, [...products, ...added], Precondition.NONE);
  }

  private async handleAgain(seller: Seller, { id, isTest }: PurchaseEntity, planId: string): Promise<void> {
    const handling = { isReplay: true, issuesEarlier: true, isTest, planId };
    const { status, reason } = orThrow(await this.purchases.retry(seller, id, handling), OrderNotFound);
    const now = this.clock.now();
    if (status === 'handled') await this.inbox.updateOfPurchase(id, { isHandled: true, needsNone: null }, now);
    else await this.inbox.updateOpen(id, status, reason, now);
  }
}
