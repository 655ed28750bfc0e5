import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { newRow, Transactions } from '../../common/database/index.js';
import { WorkAfterAnswer } from '../../common/jobs/index.js';
import { Clock, MINUTE_MS, SECOND_MS } from '../../common/system/index.js';
import { CredentialsService } from '../../credentials/index.js';
import { Overloaded } from '../../common/problems/index.js';
import { PaymentFailure, type PaymentFact } from '../../payments/index.js';
import type { Handling } from '../purchases/purchase-change.js';
import { PurchasesService } from '../purchases/purchases.service.js';
import type { Seller } from '../seller.js';
import { SellerQueue } from '../seller-queue.js';
import type { VerifiedNotification } from '../signature.guard.js';
import type { NotificationOutcome } from '../webhooks.dto.js';
import { completePayload } from './complete-payload.js';
import { hideClaimToken } from './hide-claim-token.js';
import type { InboxItemRow } from './inbox-item.entity.js';
import { InboxRepository } from './inbox.repository.js';
import { outcomeOf } from './inbox.service.js';
import {
  effectBeforehand,
  issuesEarlier,
  NotificationHandler,
  type EventEffect,
} from './notification-handler.service.js';
import { readPayload } from './read-payload.js';

/** Of the five seconds that Paddle waits for an answer (https://developer.paddle.com/webhooks/respond-to-webhooks). */
const ANSWER_WITHIN_MS = 2 * SECOND_MS;
/** A process that still works on what it has received does so within this time. */
const ABANDONED_MS = 30 * SECOND_MS;

/** A notification before it is handled. */
type Received = Omit<InboxItemRow, 'status' | 'reason' | 'purchaseId'>;

const UNHANDLED = { status: 'received', reason: null, purchaseId: null } as const;

/** A notification that waits until it is handled. */
interface Turn {
  readonly seller: Seller;
  readonly received: Received;
  /** It has been answered, and is handled even if this process ends. */
  isRecorded: boolean;
}

/**
 * Receives notifications. Each is recorded once and takes effect in the same transaction; one whose turn does not come in time for the answer is
 * recorded first, and takes effect later.
 */
@Injectable()
export class NotificationIntake implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(NotificationIntake.name);
  private readonly late = new WorkAfterAnswer(NotificationIntake.name);
  private isStopping = false;

  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly credentials: CredentialsService,
    private readonly purchases: PurchasesService,
    private readonly inbox: InboxRepository,
    private readonly handler: NotificationHandler,
    private readonly queue: SellerQueue,
  ) {}

  /** Receives a notification. @throws InvalidRequest, Overloaded */
  async receive({ tenantId, processor, secrets, request }: VerifiedNotification): Promise<NotificationOutcome> {
    const { payload: read, gap } = await completePayload(processor, secrets, readPayload(request.body)).catch(askAgain);
    const payload = hideClaimToken(read);
    const event = processor.read(payload, request, this.clock.now());
    const facts = processor.interpret(event);
    const seller: Seller = { tenantId, processor: processor.id };
    const received: Received = {
      ...newRow(this.clock.now()),
      ...seller,
      // Without an event id, the same bytes are the same event.
      eventKey: event.key === '' ? createHash('sha256').update(request.body).digest('hex') : event.key,
      kind: event.name,
      happenedAt: event.at,
      isTest: event.isTest,
      credentialId: secrets[0]?.credentialId ?? null,
      // An event that changes no license is never needed again, and may be about anyone.
      payload: facts.length === 0 && gap === null ? null : JSON.stringify(payload),
    };
    const aside = processor.aside(event);
    const settled = effectBeforehand(processor, { event, facts, gap }, secrets);
    // What says nothing of a purchase waits for nobody.
    if (settled !== null && facts.length === 0) return this.note({ ...received, ...settled }, aside);
    const handling: Handling = {
      isReplay: false,
      isTest: event.isTest,
      issuesEarlier: issuesEarlier(secrets),
      planId: null,
    };
    const turn: Turn = { seller, received, isRecorded: false };
    return this.answerInTime(
      turn,
      this.queue.run(seller, () => this.handle(turn, settled ?? facts, handling)),
    );
  }

  /** Records a notification that changes no license. */
  private note(row: InboxItemRow, aside: string | null): Promise<NotificationOutcome> {
    return this.tx.run(async () => {
      const noted = await this.inbox.insertOrFind(row);
      if (aside !== null) await this.handler.tellOfForeignKeys(row, aside, this.clock.now());
      return outcomeOf(noted);
    });
  }

  /** Handles what this process, or another one, left behind when it ended. */
  onApplicationBootstrap(): void {
    this.late.start('recorded notifications were not looked for', () => this.handleReceived(this.clock.now()));
  }

  /** Handles what was recorded to be handled later, by another process that has ended since. */
  @Interval('received-notifications', 5 * MINUTE_MS)
  async handleAbandoned(): Promise<void> {
    if (!this.isStopping) await this.handleReceived(new Date(this.clock.now().getTime() - ABANDONED_MS));
  }

  private async handleReceived(before: Date): Promise<void> {
    for (const { id, tenantId, processor } of await this.inbox.findReceived(before)) {
      if (this.isStopping) return;
      await this.handleRecorded({ tenantId, processor }, id).catch((error: unknown) =>
        this.log.error({ msg: 'a recorded notification was not handled', id, err: error }),
      );
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.whenIdle();
  }

  /** Resolves when everything that this process has answered is handled. */
  async whenIdle(): Promise<void> {
    await this.late.whenIdle();
  }

  /** Answers with the outcome, or records the notification when there is none yet. */
  private async answerInTime(turn: Turn, handled: Promise<NotificationOutcome>): Promise<NotificationOutcome> {
    const answer = new AbortController();
    const late = pause(ANSWER_WITHIN_MS, null, { signal: answer.signal }).catch(() => null);
    const outcome = await Promise.race([handled, late]).finally(() => answer.abort());
    if (outcome !== null) return outcome;
    this.late.start('a notification was answered, and is handled later', async () => void (await handled));
    const recorded = await this.inbox.insertOrFind({ ...turn.received, ...UNHANDLED });
    turn.isRecorded = true;
    return outcomeOf(recorded);
  }

  private handle(
    { seller, received, isRecorded }: Turn,
    content: readonly PaymentFact[] | EventEffect,
    handling: Handling,
  ): Promise<NotificationOutcome> {
    // It is handled after the next start.
    if (isRecorded && this.isStopping) return Promise.resolve(outcomeOf(UNHANDLED));
    return this.tx.run(async () => {
      await this.purchases.lockSeller(seller);
      const known = await this.inbox.findByKey(seller, received.eventKey);
      if (known !== null && known.status !== 'received') return outcomeOf(known);
      const { isNew, ...effect } =
        'status' in content ? { ...content, isNew: false } : await this.handler.handle(seller, content, handling);
      const row = { ...received, ...effect };
      const id = await this.inbox.insertOrUpdate(row);
      if (!isNew) await this.handler.updateRelated({ ...row, id });
      await this.handler.tellOfMissingLicense(row);
      return outcomeOf(row);
    });
  }

  /** Does nothing when another process is at work for the seller. */
  private async handleRecorded(seller: Seller, id: string): Promise<void> {
    const secrets = await this.credentials.openPayments(seller.tenantId, seller.processor);
    await this.queue.run(seller, () =>
      this.tx.run(async () => {
        if (!(await this.purchases.tryLockSeller(seller))) return;
        const item = await this.inbox.find(seller.tenantId, id);
        if (item?.status !== 'received') return;
        const wish = { isReplay: false, issuesEarlier: false, planId: null };
        const effect = await this.handler.handleItem(seller, item, { secrets, wish, gap: null });
        Object.assign(item, effect, { updatedAt: this.clock.now() });
        await this.inbox.save(item);
        await this.handler.updateRelated(item);
        await this.handler.tellOfMissingLicense(item);
      }),
    );
  }
}

/** The processor delivers again what it could not be asked about. */
function askAgain(error: unknown): never {
  throw error instanceof PaymentFailure ? new Overloaded() : error;
}
