import { createHash } from 'node:crypto';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { newRow, Transactions } from '../../common/database/index.js';
import { BackgroundTasks } from '../../common/jobs/index.js';
import { Clock, MINUTE_MS, SECOND_MS } from '../../common/system/index.js';
import { CredentialsService } from '../../credentials/index.js';
import { Overloaded } from '../../common/problems/index.js';
import { PaymentFailure, type PaymentFact } from '../../payments/index.js';
import { type Handling, PurchasesService } from '../purchases/index.js';
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
  type HandledEvent,
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
  /** Its facts, or an effect that does not depend on the seller's sales. */
  readonly content: readonly PaymentFact[] | EventEffect;
  readonly handling: Handling;
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
  private readonly late = new BackgroundTasks(NotificationIntake.name);
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

  /** Receives a notification. */
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
    const effect = effectBeforehand(processor, { event, facts, gap }, secrets);
    // A notification that is not about a purchase need not wait.
    if (effect !== null && facts.length === 0) return this.note({ ...received, ...effect }, aside);
    const handling: Handling = {
      isReplay: false,
      isTest: event.isTest,
      issuesEarlier: issuesEarlier(secrets),
      planId: null,
    };
    const turn: Turn = { seller, received, content: effect ?? facts, handling, isRecorded: false };
    return this.answerInTime(turn, this.queue.runTogether(seller, turn, this.handleAll));
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
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => (timer = setTimeout(resolve, ANSWER_WITHIN_MS, null)));
    const outcome = await Promise.race([handled, late]).finally(() => clearTimeout(timer));
    if (outcome !== null) return outcome;
    this.late.start('a notification was answered, and is handled later', async () => void (await handled));
    const recorded = await this.inbox.insertOrFind({ ...turn.received, ...UNHANDLED });
    turn.isRecorded = true;
    return outcomeOf(recorded);
  }

  /** Handles what waits for a seller in one transaction: the notifications of one sale come within a second. */
  private readonly handleAll = async (turns: readonly Turn[]): Promise<readonly NotificationOutcome[]> => {
    // Recorded notifications are handled after the next start.
    const waiting = turns.filter(({ isRecorded }) => !(isRecorded && this.isStopping));
    const [first] = waiting;
    if (first === undefined) return turns.map(() => outcomeOf(UNHANDLED));
    const { seller } = first;
    return this.tx.run(async () => {
      await this.purchases.lockSeller(seller);
      const keys = waiting.map(({ received }) => received.eventKey);
      const outcomes = new Map<string, Pick<InboxItemRow, 'status' | 'reason'>>();
      for (const earlier of await this.inbox.findByKeys(seller, keys))
        if (earlier.status !== 'received') outcomes.set(earlier.eventKey, earlier);
      const isFirst = ({ received }: Turn, at: number): boolean => keys.indexOf(received.eventKey) === at;
      const fresh = waiting.filter((turn, at) => isFirst(turn, at) && !outcomes.has(turn.received.eventKey));
      for (const row of await this.save(await this.effectsOf(seller, fresh))) outcomes.set(row.eventKey, row);
      return turns.map(({ received }) => outcomeOf(outcomes.get(received.eventKey) ?? UNHANDLED));
    });
  };

  /** Lets notifications take effect: together those that are handled alike. */
  private async effectsOf(
    seller: Seller,
    turns: readonly Turn[],
  ): Promise<readonly { readonly turn: Turn; readonly effect: HandledEvent }[]> {
    const effects = turns.flatMap((turn) =>
      'status' in turn.content ? [{ turn, effect: { ...turn.content, isNew: false } }] : [],
    );
    const alike = new Map<string, { readonly turn: Turn; readonly facts: readonly PaymentFact[] }[]>();
    for (const turn of turns)
      if (!('status' in turn.content)) {
        const how = JSON.stringify(turn.handling);
        alike.set(how, [...(alike.get(how) ?? []), { turn, facts: turn.content }]);
      }
    for (const group of alike.values()) {
      const [first] = group;
      if (first === undefined) continue;
      const events = group.map(({ facts }) => facts);
      const handled = await this.handler.handle(seller, events, first.turn.handling);
      handled.forEach((effect, at) => effects.push({ turn: group[at]?.turn ?? first.turn, effect }));
    }
    return effects;
  }

  /** Records notifications with their effects. @returns their rows */
  private async save(
    effects: readonly { readonly turn: Turn; readonly effect: HandledEvent }[],
  ): Promise<readonly InboxItemRow[]> {
    const saved = effects.map(({ turn, effect: { isNew, ...effect } }) => ({
      row: { ...turn.received, ...effect },
      isNew,
    }));
    const rows = saved.map(({ row }) => row);
    const ids = await this.inbox.insertOrUpdate(rows);
    const lastOf = new Map(rows.map((row) => [row.purchaseId ?? row.eventKey, row]));
    for (const { row, isNew } of saved)
      if (!isNew && lastOf.get(row.purchaseId ?? row.eventKey) === row)
        await this.handler.updateRelated({ ...row, id: ids.get(row.eventKey) ?? row.id });
    for (const row of rows) await this.handler.tellOfMissingLicense(row);
    return rows;
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
