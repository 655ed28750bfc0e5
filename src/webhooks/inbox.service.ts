import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../common/system/index.js';
import { newRow, Transactions } from '../common/database/index.js';
import { asRecord, isDeeperThan } from '../common/net/index.js';
import { readPage, toPage, type Page } from '../common/fields/index.js';
import { InvalidRequest } from '../common/problems/index.js';
import { CredentialsService, type OpenedPaymentSecrets } from '../credentials/index.js';
import { Processors, type Payload, type PaymentEvent } from '../payments/index.js';
import { Erasure } from './erasure.js';
import { hideClaimToken } from './hide-claim-token.js';
import { InboxItemEntity, type InboxStatus } from './inbox-item.entity.js';
import type { Seller } from './purchase-licenses.service.js';
import { PurchasesService } from './purchases.service.js';
import type { VerifiedNotification } from './signature.guard.js';
import type { InboxItem, ListInbox, Outcome } from './webhooks.dto.js';
import { InboxItemNotFound } from './webhooks.problems.js';

const DAY_MS = 86_400_000;
/** What a notification said is forgotten after this; that it came, after the longer time. */
const PAYLOAD_DAYS = 90;
const KEY_DAYS = 730;
/** Processors nest about ten levels, expanded objects included. */
const DEEPEST = 100;

/** What an event came to. */
interface Effect {
  readonly status: InboxStatus;
  readonly reason: string | null;
  readonly purchaseId: string | null;
}

/** The notifications of payment processors: verified, kept once each, and carried out in the same transaction. */
@Injectable()
export class InboxService {
  private readonly log = new Logger(InboxService.name);

  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly processors: Processors,
    private readonly credentials: CredentialsService,
    private readonly purchases: PurchasesService,
    private readonly erasure: Erasure,
  ) {}

  /** Takes a notification in. @throws InvalidRequest */
  async receive({ tenantId, processor, secrets, request }: VerifiedNotification): Promise<Outcome> {
    const payload = hideClaimToken(payloadIn(request.body));
    const event = processor.read(payload, request, this.clock.now());
    const eventKey = event.key === '' ? createHash('sha256').update(request.body).digest('hex') : event.key;
    const seller: Seller = { tenantId, processor: processor.id };
    return this.tx.run(async () => {
      await this.purchases.lock(seller);
      const known = await this.tx.repository(InboxItemEntity).findOneBy({ ...seller, eventKey });
      if (known !== null) return outcomeOf(known);
      const effect = await this.carryOut(
        seller,
        event,
        secrets.some(({ testMode }) => testMode === true),
      );
      const item: Omit<InboxItemEntity, 'tenant' | 'purchase'> = {
        ...newRow(this.clock.now()),
        ...seller,
        eventKey,
        kind: event.name,
        happenedAt: event.at,
        isTest: event.isTest,
        // What changes no license is never needed again, and may be about anybody.
        payload: processor.interpret(event).length === 0 ? null : JSON.stringify(payload),
        ...effect,
      };
      await this.tx.repository(InboxItemEntity).insert(item);
      if (item.payload !== null && item.purchaseId === null) await this.erasure.follow(item.id);
      await this.resolve(effect);
      return outcomeOf(item);
    });
  }

  /** The tenant's notifications, newest first. */
  async list(tenantId: string, query: ListInbox): Promise<Page<InboxItem>> {
    const { limit, after } = readPage(query);
    const rows = await this.tx
      .repository(InboxItemEntity)
      .createQueryBuilder('item')
      .where('item.tenant_id = :tenantId and item.id < :after', { tenantId, after })
      .andWhere(query.status === undefined ? 'true' : 'item.status = :status', { status: query.status })
      .orderBy('item.id', 'DESC')
      .limit(limit + 1)
      .getMany();
    return toPage(rows, limit, toInboxItem);
  }

  /** Carries a notification out once more: a plan may list the product now, or a credential take test sales. @throws InboxItemNotFound */
  async replay(tenantId: string, id: string): Promise<Outcome> {
    const found = await this.find(tenantId, id);
    const secrets = await this.credentials.openPayments(tenantId, found.processor);
    const seller: Seller = { tenantId, processor: found.processor };
    return this.tx.run(async () => {
      await this.purchases.lock(seller);
      const item = await this.find(tenantId, id);
      const effect = await this.again(seller, item, secrets);
      Object.assign(item, effect, { updatedAt: this.clock.now() });
      await this.tx.repository(InboxItemEntity).save(item);
      await this.resolve(effect);
      return outcomeOf(item);
    });
  }

  /** Forgets what was kept long enough. */
  @Interval(DAY_MS / 24)
  async forget(): Promise<void> {
    const before = (days: number): Date => new Date(this.clock.now().getTime() - days * DAY_MS);
    try {
      await this.tx.query('update inbox_item set payload = null where payload is not null and created_at < $1', [
        before(PAYLOAD_DAYS),
      ]);
      await this.tx.query('delete from inbox_item where created_at < $1', [before(KEY_DAYS)]);
    } catch (error) {
      this.log.error({ msg: 'old notifications were not forgotten', err: error });
    }
  }

  private async carryOut(seller: Seller, event: PaymentEvent, takesTests: boolean, isReplay = false): Promise<Effect> {
    if (event.isTest && !takesTests)
      return ignored('It is of the test mode, and no credential that signed it takes tests.');
    const facts = this.processors.for(seller.processor).interpret(event);
    if (facts.length === 0) return ignored('Nothing in it changes a license.');
    const settled = await this.purchases.enter(seller, facts, isReplay);
    const open = settled.find(({ status }) => status !== 'handled') ?? settled.find(({ reason }) => reason !== null);
    return open ?? settled[0] ?? { status: 'handled', reason: null, purchaseId: null };
  }

  private async again(
    seller: Seller,
    item: InboxItemEntity,
    secrets: readonly OpenedPaymentSecrets[],
  ): Promise<Effect> {
    if (item.payload !== null) {
      const payload = JSON.parse(item.payload) as Payload;
      const event = { key: item.eventKey, name: item.kind, at: item.happenedAt, isTest: item.isTest, payload };
      return this.carryOut(
        seller,
        event,
        secrets.some(({ testMode }) => testMode === true),
        true,
      );
    }
    // What it said was entered when it came, and is kept with the purchase.
    const settled = item.purchaseId === null ? null : await this.purchases.retry(seller, item.purchaseId);
    if (settled === null) return { status: item.status, reason: item.reason, purchaseId: null };
    return settled;
  }

  /** What else waited for the same purchase has been handled with it. What is said of one whose buyer was erased is not kept. */
  private async resolve({ status, purchaseId }: Effect): Promise<void> {
    if (status !== 'handled' || purchaseId === null) return;
    await this.tx.query(
      `update inbox_item set status = 'handled', reason = null, updated_at = $2,
              payload = case when purchase.erased_at is null then payload end
        from purchase where purchase.id = inbox_item.purchase_id and purchase.issued_at is not null
        and inbox_item.purchase_id = $1
        and (inbox_item.status in ('unmapped', 'waiting') or purchase.erased_at is not null and payload is not null)`,
      [purchaseId, this.clock.now()],
    );
  }

  private async find(tenantId: string, id: string): Promise<InboxItemEntity> {
    const item = await this.tx.repository(InboxItemEntity).findOneBy({ id, tenantId });
    if (item === null) throw new InboxItemNotFound();
    return item;
  }
}

/** @throws InvalidRequest the sender is genuine, and what it sent is no object of JSON, or one nested beyond reason */
function payloadIn(body: Buffer): Payload {
  const payload = asRecord(jsonIn(body));
  if (payload === undefined) throw new InvalidRequest([{ field: '', message: 'The body must be a JSON object.' }]);
  if (isDeeperThan(DEEPEST, payload))
    throw new InvalidRequest([{ field: '', message: `The body must not nest deeper than ${DEEPEST} levels.` }]);
  return payload;
}

function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

const ignored = (reason: string): Effect => ({ status: 'ignored', reason, purchaseId: null });

const outcomeOf = ({ status }: Pick<InboxItemEntity, 'status'>): Outcome => ({
  outcome: status === 'ignored' ? 'ignored' : 'handled',
});

const toInboxItem = ({ id, processor, kind, createdAt, status, reason }: InboxItemEntity): InboxItem => ({
  id,
  processor,
  kind,
  receivedAt: createdAt,
  status,
  reason,
});
