import { Injectable } from '@nestjs/common';
import { actAs } from '../../common/access/index.js';
import { Clock } from '../../common/system/index.js';
import type { OpenedPaymentSecrets } from '../../credentials/index.js';
import { Processors, type Payload, type PaymentEvent, type PaymentFact } from '../../payments/index.js';
import type { Handling } from '../purchases/purchase-change.js';
import { PurchasesService } from '../purchases/purchases.service.js';
import type { Seller } from '../seller.js';
import type { InboxItemEntity, InboxItemRow, InboxStatus } from './inbox-item.entity.js';
import { InboxRepository } from './inbox.repository.js';

/** The effect of an event. */
export interface EventEffect {
  readonly status: InboxStatus;
  readonly reason: string | null;
  readonly purchaseId: string | null;
}

/** The effect of an event, and whether it began its purchase. */
interface HandledEvent extends EventEffect {
  /** No earlier event is about the purchase, so that none waits for it and no buyer was erased from it. */
  readonly isNew: boolean;
}

/** How the notification is handled, apart from what its credentials say. */
export type Wish = Pick<Handling, 'isReplay' | 'issuesEarlier' | 'planId'>;

/** Lets notifications take effect. Every method runs inside its caller's transaction, which has locked the seller. */
@Injectable()
export class NotificationHandler {
  constructor(
    private readonly clock: Clock,
    private readonly processors: Processors,
    private readonly purchases: PurchasesService,
    private readonly inbox: InboxRepository,
  ) {}

  /** Records what an event says, and changes the licenses. */
  async handle(seller: Seller, facts: readonly PaymentFact[], handling: Handling): Promise<HandledEvent> {
    const settled = await asProcessor(seller, () => this.purchases.record(seller, facts, handling));
    const open = settled.find(({ status }) => status !== 'handled') ?? settled.find(({ reason }) => reason !== null);
    return open ?? settled[0] ?? { status: 'handled', reason: null, purchaseId: null, isNew: false };
  }

  /** Handles what the inbox holds. */
  async handleItem(
    seller: Seller,
    item: InboxItemEntity,
    secrets: readonly OpenedPaymentSecrets[],
    wish: Wish,
  ): Promise<EventEffect> {
    const handling = {
      ...wish,
      isTest: item.isTest,
      issuesEarlier: wish.issuesEarlier || issuesEarlier(secrets),
    };
    if (item.payload !== null) {
      const payload = JSON.parse(item.payload) as Payload;
      const event = { key: item.eventKey, name: item.kind, at: item.happenedAt, isTest: item.isTest, payload };
      const facts = this.processors.for(seller.processor).interpret(event);
      const reason = whyIgnored(event, facts, acceptsTests(secrets));
      return reason === null ? this.handle(seller, facts, handling) : ignored(reason);
    }
    if (item.status === 'received') return ignored('Its buyer was erased before it was handled.');
    // Its facts were recorded with the purchase when it arrived.
    const { purchaseId } = item;
    const settled =
      purchaseId === null ? null : await asProcessor(seller, () => this.purchases.retry(seller, purchaseId, handling));
    return settled ?? { status: item.status, reason: item.reason, purchaseId: null };
  }

  /** Marks what waited for the same purchase as handled, and clears payloads that name an erased buyer. */
  async updateRelated({ id, status, purchaseId, payload }: InboxItemRow): Promise<void> {
    if (purchaseId === null) return payload === null ? undefined : this.inbox.clearPayloadIfErased(id);
    await this.inbox.updateOfPurchase(purchaseId, status === 'handled', this.clock.now());
  }
}

/** Whether one of the credentials accepts notifications of the test mode. */
export const acceptsTests = (secrets: readonly OpenedPaymentSecrets[]): boolean =>
  secrets.some(({ testMode }) => testMode === true);

/** Whether one of them wants licenses for subscriptions that began before it was saved. */
export const issuesEarlier = (secrets: readonly OpenedPaymentSecrets[]): boolean =>
  secrets.some(({ issueEarlier }) => issueEarlier === true);

export const ignored = (reason: string): EventEffect => ({ status: 'ignored', reason, purchaseId: null });

/** Why an event changes nothing, whatever is known of the seller's sales; null when it may. Pure. */
export function whyIgnored(
  { isTest }: PaymentEvent,
  facts: readonly PaymentFact[],
  isTestAccepted: boolean,
): string | null {
  if (isTest && !isTestAccepted)
    return 'The event is from test mode, and no credential that signed it accepts test events.';
  return facts.length === 0 ? 'The event does not change a license.' : null;
}

/** Runs work with the processor as the actor that the audit log records. */
const asProcessor = <Result>({ processor }: Seller, work: () => Result): Result =>
  actAs({ kind: 'processor', name: processor }, work);
