import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock, DAY_MS, HOUR_MS } from '../../common/system/index.js';
import { Config } from '../../common/config/index.js';
import { AuditLog } from '../../audit/index.js';
import { actAs } from '../../common/access/index.js';
import { newRow, Transactions } from '../../common/database/index.js';
import { API_PREFIX } from '../../common/http/index.js';
import { asRecord, hasMoreEntriesThan, isDeeperThan } from '../../common/net/index.js';
import { pageFrom, type Page } from '../../common/fields/index.js';
import { invalidBody, orThrow } from '../../common/problems/index.js';
import { CredentialsService, type OpenedPaymentSecrets } from '../../credentials/index.js';
import { LicensePlansService } from '../../licensing/index.js';
import { PROCESSOR_IDS, Processors, type Payload, type PaymentEvent, type PaymentFact } from '../../payments/index.js';
import { hideClaimToken } from './hide-claim-token.js';
import type { InboxItemEntity, InboxItemRow, InboxStatus } from './inbox-item.entity.js';
import { InboxRepository } from './inbox.repository.js';
import { NOTHING_CHANGED } from '../purchases/notification-reasons.js';
import type { Handling } from '../purchases/purchase-change.js';
import { PurchasesService } from '../purchases/purchases.service.js';
import type { Seller } from '../seller.js';
import { SellerQueue } from '../seller-queue.js';
import type { VerifiedNotification } from '../signature.guard.js';
import type {
  InboxItem,
  ListInbox,
  NotificationOutcome,
  ReplayInbox,
  ReplayWish,
  WebhookSummary,
} from '../webhooks.dto.js';
import { InboxItemNotFound } from '../webhooks.problems.js';

/** How long the payload of a notification is kept, and how long its key, which recognizes repetitions. */
const PAYLOAD_MS = 90 * DAY_MS;
const KEY_MS = 730 * DAY_MS;
/** Processors nest about ten levels, expanded objects included. */
const MAX_DEPTH = 100;
/** An invoice of a hundred lines has some five thousand. */
const MAX_ENTRIES = 20_000;

/** The effect of an event. */
interface EventEffect {
  readonly status: InboxStatus;
  readonly reason: string | null;
  readonly purchaseId: string | null;
}

/** The effect of an event, and whether it began its purchase. */
interface HandledEvent extends EventEffect {
  /** No earlier event is about the purchase, so that none waits for it and no buyer was erased from it. */
  readonly isNew: boolean;
}

/** The notifications of payment processors: each is recorded once and takes effect in the same transaction. */
@Injectable()
export class InboxService {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly processors: Processors,
    private readonly credentials: CredentialsService,
    private readonly plans: LicensePlansService,
    private readonly purchases: PurchasesService,
    private readonly inbox: InboxRepository,
    private readonly queue: SellerQueue,
    private readonly audit: AuditLog,
  ) {}

  /** Receives a notification. @throws InvalidRequest */
  async receive({ tenantId, processor, secrets, request }: VerifiedNotification): Promise<NotificationOutcome> {
    const payload = hideClaimToken(payloadIn(request.body));
    const event = processor.read(payload, request, this.clock.now());
    // Without an event id, the same bytes are the same event.
    const eventKey = event.key === '' ? createHash('sha256').update(request.body).digest('hex') : event.key;
    const seller: Seller = { tenantId, processor: processor.id };
    const facts = processor.interpret(event);
    const received = {
      ...newRow(this.clock.now()),
      ...seller,
      eventKey,
      kind: event.name,
      happenedAt: event.at,
      isTest: event.isTest,
      credentialId: secrets[0]?.credentialId ?? null,
      // An event that changes no license is never needed again, and may be about anyone.
      payload: facts.length === 0 ? null : JSON.stringify(payload),
    };
    const refusal = whyIgnored(event, facts, acceptsTests(secrets));
    // What says nothing of a purchase waits for nobody.
    if (refusal !== null && facts.length === 0)
      return outcomeOf(await this.inbox.insertOrFind({ ...received, ...ignored(refusal) }));
    return this.queue.run(seller, () =>
      this.tx.run(async () => {
        await this.purchases.lockSeller(seller);
        const known = await this.inbox.findByKey(seller, eventKey);
        if (known !== null) return outcomeOf(known);
        const { isNew, ...effect } = await asProcessor(seller, async () =>
          refusal === null
            ? this.handle(seller, facts, {
                isReplay: false,
                isTest: event.isTest,
                issuesEarlier: issuesEarlier(secrets),
                planId: null,
              })
            : { ...ignored(refusal), isNew: false },
        );
        const item: InboxItemRow = { ...received, ...effect };
        await this.inbox.insert(item);
        if (!isNew) await this.updateRelated(item);
        return outcomeOf(item);
      }),
    );
  }

  /** Lists the tenant's notifications, newest first. */
  async list(tenantId: string, query: ListInbox): Promise<Page<InboxItem>> {
    return pageFrom(query, (start) => this.inbox.list(tenantId, query, start), toInboxItem);
  }

  /** Returns the webhook URL, and for each processor the events to enable and the last notification. */
  async summarize(tenantId: string): Promise<WebhookSummary> {
    const held = await this.credentials.listPayments(tenantId);
    const lastOf = await this.inbox.lastOfProcessors(tenantId, PROCESSOR_IDS);
    const lastBy = await this.inbox.lastOfCredentials(held.map(({ id }) => id));
    const processors = this.processors.all.map(({ id, title, events }) => ({
      processor: id,
      title,
      events,
      last: lastOf.get(id) ?? null,
      credentials: held
        .filter(({ store }) => store === id)
        .map((credential) => ({ id: credential.id, label: credential.label, last: lastBy.get(credential.id) ?? null })),
    }));
    return { webhookUrl: `${this.config.publicUrl}${API_PREFIX}/licensing/webhooks/payment/${tenantId}`, processors };
  }

  /**
   * Handles a notification again, after a plan lists the product or a credential accepts test sales, or by the tenant's wish.
   * @throws InboxItemNotFound
   * @throws PlanNotFound
   */
  async replay(tenantId: string, id: string, wish: ReplayWish): Promise<NotificationOutcome> {
    if (wish.planId !== undefined) await this.plans.getOrThrow(tenantId, wish.planId);
    return this.replayItem(tenantId, id, wish);
  }

  /** Handles a page of the notifications that made no license again, newest first. @throws PlanNotFound */
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

  private async replayItem(tenantId: string, id: string, { issue, planId }: ReplayWish): Promise<NotificationOutcome> {
    const wish = { issuesEarlier: issue === true || planId !== undefined, planId: planId ?? null };
    const found = await this.find(tenantId, id);
    const secrets = await this.credentials.openPayments(tenantId, found.processor);
    const seller: Seller = { tenantId, processor: found.processor };
    return this.queue.run(seller, () =>
      this.tx.run(async () => {
        await this.purchases.lockSeller(seller);
        const item = await this.find(tenantId, id);
        const before = { status: item.status };
        const {
          status,
          reason: next,
          purchaseId,
        } = await asProcessor(seller, () => this.handleAgain(seller, item, secrets, wish));
        // What it changed when it was first handled stays true.
        const reason = next === NOTHING_CHANGED && item.status === 'handled' ? item.reason : next;
        Object.assign(item, { status, reason, purchaseId, updatedAt: this.clock.now() });
        await this.inbox.save(item);
        await this.audit.record(
          tenantId,
          'inbox_item.replayed',
          item,
          before.status === item.status ? {} : { before, after: item },
        );
        await this.updateRelated(item);
        return outcomeOf(item);
      }),
    );
  }

  private async handle(seller: Seller, facts: readonly PaymentFact[], handling: Handling): Promise<HandledEvent> {
    const settled = await this.purchases.record(seller, facts, handling);
    const open = settled.find(({ status }) => status !== 'handled') ?? settled.find(({ reason }) => reason !== null);
    return open ?? settled[0] ?? { status: 'handled', reason: null, purchaseId: null, isNew: false };
  }

  private async handleAgain(
    seller: Seller,
    item: InboxItemEntity,
    secrets: readonly OpenedPaymentSecrets[],
    wish: Pick<Handling, 'issuesEarlier' | 'planId'>,
  ): Promise<EventEffect> {
    const handling = {
      isReplay: true,
      isTest: item.isTest,
      ...wish,
      issuesEarlier: wish.issuesEarlier || issuesEarlier(secrets),
    };
    if (item.payload !== null) {
      const payload = JSON.parse(item.payload) as Payload;
      const event = { key: item.eventKey, name: item.kind, at: item.happenedAt, isTest: item.isTest, payload };
      const facts = this.processors.for(seller.processor).interpret(event);
      const reason = whyIgnored(event, facts, acceptsTests(secrets));
      return reason === null ? this.handle(seller, facts, handling) : ignored(reason);
    }
    // Its facts were recorded with the purchase when it arrived.
    const settled = item.purchaseId === null ? null : await this.purchases.retry(seller, item.purchaseId, handling);
    return settled ?? { status: item.status, reason: item.reason, purchaseId: null };
  }

  /** Marks what waited for the same purchase as handled, and clears payloads that name an erased buyer. */
  private async updateRelated({ id, status, purchaseId, payload }: InboxItemRow): Promise<void> {
    if (purchaseId === null) return payload === null ? undefined : this.inbox.clearPayloadIfErased(id);
    if (status === 'handled') await this.inbox.resolve(purchaseId, this.clock.now());
    await this.inbox.clearPayloadsOfErased(purchaseId);
  }

  private async find(tenantId: string, id: string): Promise<InboxItemEntity> {
    return orThrow(await this.inbox.find(tenantId, id), InboxItemNotFound);
  }
}

/** @throws InvalidRequest when the body is not a JSON object, or is nested too deeply */
function payloadIn(body: Buffer): Payload {
  const payload = asRecord(jsonIn(body));
  if (payload === undefined) throw invalidBody('The body must be a JSON object.');
  if (isDeeperThan(MAX_DEPTH, payload)) throw invalidBody(`The body must not nest deeper than ${MAX_DEPTH} levels.`);
  if (hasMoreEntriesThan(MAX_ENTRIES, payload))
    throw invalidBody(`The body must not have more than ${MAX_ENTRIES} keys and list items.`);
  return payload;
}

function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Whether one of the credentials accepts notifications of the test mode. */
const acceptsTests = (secrets: readonly OpenedPaymentSecrets[]): boolean =>
  secrets.some(({ testMode }) => testMode === true);

/** Whether one of them wants licenses for subscriptions that began before it was saved. */
const issuesEarlier = (secrets: readonly OpenedPaymentSecrets[]): boolean =>
  secrets.some(({ issueEarlier }) => issueEarlier === true);

/** Runs work with the processor as the actor that the audit log records. */
const asProcessor = <Result>({ processor }: Seller, work: () => Result): Result =>
  actAs({ kind: 'processor', name: processor }, work);

const ignored = (reason: string): EventEffect => ({ status: 'ignored', reason, purchaseId: null });

/** Why an event changes nothing, whatever is known of the seller's sales; null when it may. Pure. */
function whyIgnored({ isTest }: PaymentEvent, facts: readonly PaymentFact[], isTestAccepted: boolean): string | null {
  if (isTest && !isTestAccepted)
    return 'The event is from test mode, and no credential that signed it accepts test events.';
  return facts.length === 0 ? 'The event does not change a license.' : null;
}

const outcomeOf = ({ status, reason }: Pick<InboxItemEntity, 'status' | 'reason'>): NotificationOutcome => ({
  outcome: status === 'ignored' ? 'ignored' : 'handled',
  status,
  reason,
});

const toInboxItem = ({ id, processor, kind, createdAt, isTest, status, reason }: InboxItemEntity): InboxItem => ({
  id,
  isTest,
  processor,
  kind,
  receivedAt: createdAt,
  status,
  reason,
});
