import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/index.js';
import { pageFrom, readPage, type Page } from '../../common/fields/index.js';
import { Precondition } from '../../common/http/index.js';
import { orThrow } from '../../common/problems/index.js';
import { Clock } from '../../common/system/index.js';
import { LicensePlansService } from '../../licensing/index.js';
import { Processors } from '../../payments/index.js';
import { AuditLog } from '../../platform/audit/index.js';
import { ExtensionsService } from '../../registry/index.js';
import { InboxRepository, ORDER_KINDS } from '../inbox/index.js';
import { OwedLicensesService, type PurchaseEntity, PurchasesRepository, PurchasesService } from '../purchases/index.js';
import type { Seller } from '../seller.js';
import { SellerQueue } from '../seller-queue.js';
import { OrderNotFound, OrderSettled } from '../webhooks.problems.js';
import { numberOf, problemOf, refundedOf, soldIn, type OrderFacts } from './order-view.js';
import type { AssignPlan, ListOrders, Order, OrderDetails } from './orders.dto.js';
import { OrdersRepository } from './orders.repository.js';

/** Events that an order is shown with. */
const SHOWN_EVENTS = 200;

/** Purchases as a seller thinks of them: who paid how much for what, which licenses that made, and what is wrong. */
@Injectable()
export class OrdersService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly extensions: ExtensionsService,
    private readonly orders: OrdersRepository,
    private readonly inbox: InboxRepository,
    private readonly processors: Processors,
    private readonly purchases: PurchasesService,
    private readonly rows: PurchasesRepository,
    private readonly owed: OwedLicensesService,
    private readonly plans: LicensePlansService,
    private readonly queue: SellerQueue,
    private readonly audit: AuditLog,
  ) {}

  /** Lists the tenant's orders, newest first. */
  async list(tenantId: string, query: ListOrders): Promise<Page<Order>> {
    if (query.extension !== undefined) await this.extensions.getOrThrow(tenantId, query.extension);
    const { limit: _limit, cursor: _cursor, ...filter } = query;
    return pageFrom(
      query,
      (start) => this.orders.list(tenantId, filter, start, this.clock.now()),
      (facts) => this.toOrder(facts),
    );
  }

  /** Retrieves an order with its events. */
  async get(tenantId: string, id: string): Promise<OrderDetails> {
    const order = this.toOrder(await this.find(tenantId, id));
    const events = await this.inbox.listOfPurchase(tenantId, id, SHOWN_EVENTS);
    return {
      ...order,
      events: events.map((one) => ({
        id: one.id,
        kind: one.kind,
        happenedAt: one.happenedAt,
        receivedAt: one.createdAt,
        status: one.status,
        reason: one.reason,
      })),
    };
  }

  /** Gives an order the plan that it lacks, and issues its licenses. The same again changes nothing. */
  async assignPlan(tenantId: string, id: string, { planId, remember }: AssignPlan): Promise<OrderDetails> {
    await this.plans.getOrThrow(tenantId, planId);
    const { processor } = await this.find(tenantId, id);
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
    return this.get(tenantId, id);
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

  private async find(tenantId: string, id: string): Promise<OrderFacts> {
    const [facts = null] = await this.orders.list(tenantId, { id }, readPage({ limit: 1 }), this.clock.now());
    return orThrow(facts, OrderNotFound);
  }

  private toOrder(facts: OrderFacts): Order {
    const { id, processor, paid, moves, buyer, isTest, orderedAt, refs, licenses } = facts;
    const amount = paid.money?.value ?? null;
    return {
      id,
      processor,
      number: numberOf(refs, ORDER_KINDS),
      url: this.processors.for(processor).orderPageOf(refs, isTest),
      buyer,
      country: paid.country?.value ?? null,
      amount,
      refunded: refundedOf(moves, amount),
      product: paid.productName?.value ?? null,
      productIds: soldIn(paid),
      isSubscription: paid.isSubscription,
      isTest,
      orderedAt,
      licenses,
      problem: problemOf(facts),
    };
  }
}
