import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock, DAY_MS, HOUR_MS } from '../../common/system/index.js';
import { AuditLog } from '../../platform/audit/index.js';
import { Transactions } from '../../common/database/index.js';
import { pageFrom, type Page } from '../../common/fields/index.js';
import { orThrow } from '../../common/problems/index.js';
import { CredentialsService } from '../../credentials/index.js';
import { LicensePlansService } from '../../licensing/index.js';
import type { InboxItemEntity } from './inbox-item.entity.js';
import { InboxRepository, type InboxOrder } from './inbox.repository.js';
import { NotificationHandler } from './notification-handler.service.js';
import { NOTHING_CHANGED, PurchasesService } from '../purchases/index.js';
import type { Seller } from '../seller.js';
import { SellerQueue } from '../seller-queue.js';
import { UnrelatedProductsService } from './unrelated-products.service.js';
import type { InboxItem, ListInbox, NotificationOutcome, ReplayInbox, ReplayWish } from '../webhooks.dto.js';
import { InboxItemNotFound } from '../webhooks.problems.js';

/** Retention of the payload of a notification, and of its key, which recognizes repetitions. */
const PAYLOAD_MS = 90 * DAY_MS;
const KEY_MS = 730 * DAY_MS;

/** The recorded notifications of payment processors, as their tenant sees and replays them. */
@Injectable()
export class InboxService implements OnModuleInit {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly credentials: CredentialsService,
    private readonly plans: LicensePlansService,
    private readonly purchases: PurchasesService,
    private readonly inbox: InboxRepository,
    private readonly handler: NotificationHandler,
    private readonly queue: SellerQueue,
    private readonly audit: AuditLog,
    private readonly unrelated: UnrelatedProductsService,
  ) {}

  onModuleInit(): void {
    this.purchases.merged.add(({ from, into }) => this.inbox.movePurchases(from, into));
  }

  /** Lists the tenant's notifications, newest first. */
  async list(tenantId: string, query: ListInbox): Promise<Page<InboxItem>> {
    return pageFrom(
      query,
      async (start) => {
        const items = await this.inbox.list(tenantId, query, start);
        const orders = await this.inbox.ordersOf(items.flatMap(({ purchaseId }) => purchaseId ?? []));
        return items.map((item) => ({ ...item, ...NO_ORDER, ...orders.get(item.purchaseId ?? '') }));
      },
      toInboxItem,
    );
  }

  /** Handles a notification again, after a plan lists the product or a credential accepts test sales, or by the tenant's wish. */
  async replay(tenantId: string, id: string, wish: ReplayWish): Promise<NotificationOutcome> {
    if (wish.planId !== undefined) await this.plans.getOrThrow(tenantId, wish.planId);
    return this.replayItem(tenantId, id, wish);
  }

  /** Marks the products of a notification that no plan lists as unrelated to the tenant's extensions, and handles it again. */
  markUnrelated(tenantId: string, id: string): Promise<NotificationOutcome> {
    return this.replayItem(tenantId, id, {}, true);
  }

  /** Handles a page of the notifications that made no license again, newest first. */
  async replayAll(
    tenantId: string,
    { status = 'unmapped', processor, cursor, ...wish }: ReplayInbox,
  ): Promise<Page<InboxItem>> {
    if (wish.planId !== undefined) await this.plans.getOrThrow(tenantId, wish.planId);
    const query = {
      status,
      ...(processor === undefined ? {} : { processor }),
      ...(cursor === undefined ? {} : { cursor }),
    };
    const page = await this.list(tenantId, query);
    const items: InboxItem[] = [];
    for (const item of page.items) {
      const { status: next, reason } = await this.replayItem(tenantId, item.id, wish);
      items.push({ ...item, status: next, reason });
    }
    return { ...page, items };
  }

  /** Deletes payloads and keys whose retention has ended. */
  @Interval('payment-inbox-cleanup', HOUR_MS)
  async deleteOld(): Promise<void> {
    const now = this.clock.now().getTime();
    await this.inbox.clearPayloadsBefore(new Date(now - PAYLOAD_MS));
    await this.inbox.deleteBefore(new Date(now - KEY_MS));
  }

  private async replayItem(
    tenantId: string,
    id: string,
    { issue, planId }: ReplayWish,
    isUnrelated = false,
  ): Promise<NotificationOutcome> {
    const wish = { isReplay: true, issuesEarlier: issue === true || planId !== undefined, planId: planId ?? null };
    const recorded = await this.find(tenantId, id);
    const secrets = await this.credentials.openPayments(tenantId, recorded.processor);
    const seller: Seller = { tenantId, processor: recorded.processor };
    // Before the seller is locked: the processor may take its time.
    const gap = await this.handler.complete(recorded, secrets);
    return this.queue.run(seller, () =>
      this.tx.run(async () => {
        await this.purchases.lockSeller(seller);
        const item = await this.find(tenantId, id);
        const before = { status: item.status };
        if (isUnrelated) await this.unrelated.markThoseOf(seller, item.purchaseId);
        if (item.payload !== null) item.payload = recorded.payload;
        const {
          status,
          reason: next,
          purchaseId,
        } = await this.handler.handleItem(seller, item, { secrets, wish, gap });
        // Its changes from the first handling remain.
        const reason = next === NOTHING_CHANGED && item.status === 'handled' ? item.reason : next;
        Object.assign(item, { status, reason, purchaseId, updatedAt: this.clock.now() });
        await this.inbox.save(item);
        await this.audit.record(
          tenantId,
          isUnrelated ? 'inbox_item.marked_unrelated' : 'inbox_item.replayed',
          item,
          before.status === item.status ? {} : { before, after: item },
        );
        await this.handler.updateRelated(item);
        return outcomeOf(item);
      }),
    );
  }

  private async find(tenantId: string, id: string): Promise<InboxItemEntity> {
    return orThrow(await this.inbox.find(tenantId, id), InboxItemNotFound);
  }
}

/** Outcome of a notification, for its processor and its tenant. */
export const outcomeOf = ({ status, reason }: Pick<InboxItemEntity, 'status' | 'reason'>): NotificationOutcome => ({
  outcome: status === 'ignored' ? 'ignored' : 'handled',
  status,
  reason,
});

const NO_ORDER: InboxOrder = { orderId: null, buyer: null, order: null, amount: null };

const toInboxItem = ({
  id,
  processor,
  kind,
  createdAt,
  isTest,
  status,
  reason,
  orderId,
  buyer,
  order,
  amount,
}: InboxItemEntity & InboxOrder): InboxItem => ({
  id,
  isTest,
  processor,
  kind,
  receivedAt: createdAt,
  status,
  reason,
  orderId,
  buyer,
  order,
  amount,
});
