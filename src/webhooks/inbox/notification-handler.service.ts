import { Injectable } from '@nestjs/common';
import { actAs } from '../../common/access/index.js';
import { Clock } from '../../common/system/index.js';
import type { OpenedPaymentSecrets } from '../../credentials/index.js';
import { NotificationsService } from '../../notifications/index.js';
import {
  PaymentFailure,
  Processors,
  type Processor,
  type Payload,
  type PaymentEvent,
  type PaymentFact,
} from '../../payments/index.js';
import { type AboutPurchase, type Handling, PurchasesService, unreadReason, UNRELATED } from '../purchases/index.js';
import type { Seller } from '../seller.js';
import { completePayload, isOfAnotherAccount } from './complete-payload.js';
import { hideClaimToken } from './hide-claim-token.js';
import type { InboxItemEntity, InboxItemRow, InboxStatus } from './inbox-item.entity.js';
import { InboxRepository } from './inbox.repository.js';

/** The effect of an event. */
export interface EventEffect {
  readonly status: InboxStatus;
  readonly reason: string | null;
  readonly purchaseId: string | null;
}

/** The effect of an event, and whether it began its purchase. */
export interface HandledEvent extends EventEffect {
  /** No earlier event is about the purchase, so that none waits for it and no buyer was erased from it. */
  readonly isNew: boolean;
}

/** Handling of the notification, apart from the options of its credentials. */
export type Wish = Pick<Handling, 'isReplay' | 'issuesEarlier' | 'planId'>;

/** Lets notifications take effect. Every method but {@link complete} runs inside its caller's transaction, which has locked the seller. */
@Injectable()
export class NotificationHandler {
  constructor(
    private readonly clock: Clock,
    private readonly processors: Processors,
    private readonly purchases: PurchasesService,
    private readonly inbox: InboxRepository,
    private readonly notifications: NotificationsService,
  ) {}

  /** Records what events say, and changes the licenses. @returns the effect of each event, in order */
  async handle(
    seller: Seller,
    events: readonly (readonly PaymentFact[])[],
    handling: Handling,
  ): Promise<readonly HandledEvent[]> {
    const outcomes = await asProcessor(seller, () => this.purchases.record(seller, events.flat(), handling));
    return events.map((facts) => effectOf(outcomes.filter((about) => tellsOf(about, facts))));
  }

  /** Reads what a recorded notification left out, and keeps it with the item. @returns why that could not be read; null when it is whole */
  async complete(item: InboxItemEntity, secrets: readonly OpenedPaymentSecrets[]): Promise<string | null> {
    if (item.payload === null) return null;
    const processor = this.processors.for(item.processor);
    const recorded = JSON.parse(item.payload) as Payload;
    try {
      const { payload, gap } = await completePayload(processor, secrets, recorded);
      if (payload !== recorded) item.payload = JSON.stringify(hideClaimToken(payload));
      return gap;
    } catch (error) {
      if (error instanceof PaymentFailure) return unreadReason(processor.title, error.message);
      throw error;
    }
  }

  /**
   * Handles what the inbox holds.
   * @param gap why it is not known what the notification is about; null when it is
   */
  async handleItem(
    seller: Seller,
    item: InboxItemEntity,
    {
      secrets,
      wish,
      gap,
    }: { readonly secrets: readonly OpenedPaymentSecrets[]; readonly wish: Wish; readonly gap: string | null },
  ): Promise<EventEffect> {
    const handling = {
      ...wish,
      isTest: item.isTest,
      issuesEarlier: wish.issuesEarlier || issuesEarlier(secrets),
    };
    if (item.payload !== null) {
      const payload = JSON.parse(item.payload) as Payload;
      const event = { key: item.eventKey, name: item.kind, at: item.happenedAt, isTest: item.isTest, payload };
      const processor = this.processors.for(seller.processor);
      const facts = processor.interpret(event);
      const effect = effectBeforehand(processor, { event, facts, gap }, secrets);
      return effect ?? this.handleOne(seller, facts, handling);
    }
    if (item.status === 'received') return ignored('Its buyer was erased before it was handled.');
    // Its facts were recorded with the purchase when it arrived.
    const { purchaseId } = item;
    const effect =
      purchaseId === null ? null : await asProcessor(seller, () => this.purchases.retry(seller, purchaseId, handling));
    return effect ?? { status: item.status, reason: item.reason, purchaseId: null };
  }

  private async handleOne(seller: Seller, facts: readonly PaymentFact[], handling: Handling): Promise<EventEffect> {
    const [effect] = await this.handle(seller, [facts], handling);
    return effect ?? effectOf([]);
  }

  /** Tells the tenant of a sale that made no license: of one a day at each processor, since a seller may sell much that is no extension. */
  async tellOfMissingLicense({ tenantId, processor, status, reason, isTest, createdAt }: InboxItemRow): Promise<void> {
    if (status !== 'unmapped' || isTest) return;
    const { title } = this.processors.for(processor);
    const day = createdAt.toISOString().slice(0, 10);
    await this.notifications.notify({
      tenantId,
      kind: 'order_without_license',
      message: [`A sale at ${title} made no license.`, reason ?? ''].join(' ').trim(),
      onceKey: `order_without_license:${tenantId}:${processor}:${day}`,
    });
  }

  /** Tells the tenant once a month that buyers receive keys of the processor's as well. */
  tellOfForeignKeys({ tenantId, processor }: InboxItemRow, aside: string, now: Date): Promise<void> {
    return this.notifications.notify({
      tenantId,
      kind: 'foreign_license_key',
      message: aside,
      onceKey: `foreign_license_key:${tenantId}:${processor}:${now.toISOString().slice(0, 7)}`,
    });
  }

  /** Marks what waited for the same purchase as handled, and clears payloads that name an erased buyer. */
  async updateRelated({ id, status, reason, purchaseId, payload }: InboxItemRow): Promise<void> {
    if (purchaseId === null) return payload === null ? undefined : this.inbox.clearPayloadIfErased(id);
    const needsNone = reason === UNRELATED ? reason : null;
    await this.inbox.updateOfPurchase(purchaseId, { isHandled: status === 'handled', needsNone }, this.clock.now());
  }
}

/** Whether the outcome of a purchase is that of an event: of one about its customer only where no other event is about the purchase. */
function tellsOf(about: AboutPurchase, facts: readonly PaymentFact[]): boolean {
  const isOfCustomer = (all: readonly PaymentFact[]): boolean => all.every(({ kind }) => kind === 'customer_seen');
  return facts.some((fact) => about.facts.includes(fact)) && (!isOfCustomer(facts) || isOfCustomer(about.facts));
}

/** The effect of an event by the outcomes of the purchases that it is about: the one that the tenant should know. */
function effectOf(outcomes: readonly AboutPurchase[]): HandledEvent {
  const open = outcomes.find(({ status }) => status !== 'handled') ?? outcomes.find(({ reason }) => reason !== null);
  const { status, reason, purchaseId, isNew } = open ?? outcomes[0] ?? NO_PURCHASE;
  return { status, reason, purchaseId, isNew };
}

const NO_PURCHASE: HandledEvent = { status: 'handled', reason: null, purchaseId: null, isNew: false };

/** Whether one of the credentials accepts notifications of the test mode. */
const acceptsTests = (secrets: readonly OpenedPaymentSecrets[]): boolean =>
  secrets.some(({ testMode }) => testMode === true);

/** Whether one of them wants licenses for subscriptions that began before it was saved. */
export const issuesEarlier = (secrets: readonly OpenedPaymentSecrets[]): boolean =>
  secrets.some(({ issueEarlier }) => issueEarlier === true);

const ignored = (reason: string): EventEffect => ({ status: 'ignored', reason, purchaseId: null });

/** The effect of an event that changes nothing, whatever is known of the seller's sales; null when it may. Pure. */
export function effectBeforehand(
  processor: Processor,
  {
    event,
    facts,
    gap,
  }: { readonly event: PaymentEvent; readonly facts: readonly PaymentFact[]; readonly gap: string | null },
  secrets: readonly OpenedPaymentSecrets[],
): EventEffect | null {
  const account = processor.accountOf(event.payload);
  if (isOfAnotherAccount(account, secrets)) return ignored(`The event is about another account, ${account}.`);
  if (event.isTest && !acceptsTests(secrets))
    return ignored('The event is from test mode, and no credential that signed it accepts test events.');
  if (gap !== null) return { status: 'unmapped', reason: gap, purchaseId: null };
  return facts.length === 0 ? ignored(processor.aside(event) ?? 'The event does not change a license.') : null;
}

/** Runs work with the processor as the actor that the audit log records. */
const asProcessor = <Result>({ processor }: Seller, work: () => Result): Result =>
  actAs({ kind: 'processor', name: processor }, work);
