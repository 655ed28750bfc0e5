import { Injectable } from '@nestjs/common';
import { type ListCount, MOST_COUNTED, pageFrom, readPage, toCount, type Page } from '../../common/fields/index.js';
import { orThrow } from '../../common/problems/index.js';
import { Clock } from '../../common/system/index.js';
import { Processors } from '../../payments/index.js';
import { ExtensionsService } from '../../registry/index.js';
import { InboxRepository, ORDER_KINDS } from '../inbox/index.js';
import { declinedReason } from '../purchases/index.js';
import { OrderNotFound } from '../webhooks.problems.js';
import { numberOf, problemOf, refundedOf, soldIn, type OrderFacts } from './order-view.js';
import type { ListOrders, Order, OrderDetails, OrderSelection } from './orders.dto.js';
import { OrdersRepository } from './orders.repository.js';

/** Events that an order is shown with. */
const SHOWN_EVENTS = 200;

/** Purchases as a seller thinks of them: who paid how much for what, which licenses that made, and what is wrong. */
@Injectable()
export class OrdersService {
  constructor(
    private readonly clock: Clock,
    private readonly extensions: ExtensionsService,
    private readonly orders: OrdersRepository,
    private readonly inbox: InboxRepository,
    private readonly processors: Processors,
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

  /** Counts the tenant's orders, as far as a count goes. */
  async count(tenantId: string, selection: OrderSelection): Promise<ListCount> {
    if (selection.extension !== undefined) await this.extensions.getOrThrow(tenantId, selection.extension);
    return toCount(await this.orders.count(tenantId, selection, MOST_COUNTED + 1));
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

  /** @throws OrderNotFound */
  async find(tenantId: string, id: string): Promise<OrderFacts> {
    const [facts = null] = await this.orders.list(tenantId, { id }, readPage({ limit: 1 }), this.clock.now());
    return orThrow(facts, OrderNotFound);
  }

  private toOrder(facts: OrderFacts): Order {
    const { id, processor, paid, moves, buyer, isTest, orderedAt, refs, licenses, declined } = facts;
    const amount = paid.money?.value ?? null;
    return {
      id,
      processor,
      number: numberOf(refs, ORDER_KINDS),
      url: this.processors.for(processor).orderPageOf(refs, isTest),
      buyer,
      buyerName: paid.buyerName?.value ?? null,
      country: paid.country?.value ?? null,
      amount,
      refunded: refundedOf(moves, amount),
      product: paid.productName?.value ?? null,
      productIds: soldIn(paid),
      isSubscription: paid.isSubscription,
      isTest,
      orderedAt,
      licenses,
      notice: declined === null ? null : declinedReason(declined),
      problem: problemOf(facts),
    };
  }
}
