import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Clock, SECOND_MS } from '../../common/system/index.js';
import { Config } from '../../common/config/index.js';
import { Transactions } from '../../common/database/index.js';
import type { LogContext } from '../../common/access/index.js';
import { newId } from '../../common/fields/index.js';
import { PollingWorker } from '../../common/jobs/index.js';
import { CannotUnseal } from '../../common/sealing/index.js';
import { DeliveryAttemptsRepository } from './delivery-attempts.repository.js';
import { DeliveriesRepository, type DueDelivery } from './deliveries.repository.js';
import { DeliveriesService } from './deliveries.service.js';
import { isGone, resultOf, type CallOutcome, type DeliveryResult } from './delivery-result.js';
import type { NotificationEntity } from '../notification.entity.js';
import { EndpointsRepository } from '../endpoints.repository.js';
import { signedHeaders, WebhookSecrets, WebhookSender } from '../outgoing-webhooks/index.js';
import { webhookBody } from './wording.js';

/** Calls that this process makes at once. */
const CONCURRENCY = 8;
/**
 * Calls to one endpoint follow each other for this long, and then share one transaction that records them. Those of a process that is killed before
 * are made again.
 */
const TOGETHER_MS = SECOND_MS;

/** A call that was made. */
interface Attempt {
  readonly delivery: DueDelivery;
  readonly triedAt: Date;
  readonly durationMs: number;
  readonly outcome: CallOutcome;
}

/** Delivers webhooks. Mails are delivered by the outbox. */
@Injectable()
export class WebhookDeliveryWorker extends PollingWorker<readonly DueDelivery[]> implements OnModuleInit {
  constructor(
    registry: SchedulerRegistry,
    clock: Clock,
    private readonly tx: Transactions,
    config: Config,
    private readonly deliveriesRepository: DeliveriesRepository,
    private readonly deliveries: DeliveriesService,
    private readonly endpointsRepository: EndpointsRepository,
    private readonly secrets: WebhookSecrets,
    private readonly sender: WebhookSender,
    private readonly attempts: DeliveryAttemptsRepository,
  ) {
    super(registry, clock, config, {
      name: 'webhook-delivery',
      concurrency: CONCURRENCY,
      locks: deliveriesRepository.locks,
    });
  }

  onModuleInit(): void {
    this.deliveries.added.add(async () => this.tx.afterCommit(() => this.wake()));
  }

  protected async take(): Promise<readonly DueDelivery[] | null> {
    const deliveries = await this.deliveriesRepository.take(this.clock.now());
    return deliveries.length === 0 ? null : deliveries;
  }

  protected override logContextOf([first]: readonly DueDelivery[]): LogContext {
    return first === undefined ? {} : { tenantId: first.tenantId };
  }

  /** Calls one endpoint until that changes or the calls take long; the other deliveries become free for the next worker. */
  protected async process(deliveries: readonly DueDelivery[]): Promise<void> {
    const until = performance.now() + TOGETHER_MS;
    const attempts: Attempt[] = [];
    for (const delivery of deliveries) {
      // What is left goes to the endpoint as it is now: with another URL or secret, or not at all.
      if (attempts.length > 0 && !(await this.endpointsRepository.isUnchanged(delivery.endpoint))) break;
      const triedAt = this.clock.now();
      const began = performance.now();
      const outcome = await this.call(delivery, triedAt);
      attempts.push({ delivery, triedAt, durationMs: Math.round(performance.now() - began), outcome });
      if (this.isStopping || isGone(outcome) || performance.now() > until) break;
    }
    for (const { delivery, result } of await this.recordResults(attempts, deliveries.slice(attempts.length))) {
      const { id: deliveryId, endpointId } = delivery;
      const { status, lastStatus, lastError } = result;
      const line = {
        msg: `webhook ${status}`,
        deliveryId,
        endpointId,
        attempts: delivery.attempts + 1,
        lastStatus,
        lastError,
      };
      if (status === 'delivered') this.log.log(line);
      else this.log.warn(line);
    }
  }

  private async call({ endpoint, notification }: DueDelivery, triedAt: Date): Promise<CallOutcome> {
    try {
      const secrets = await this.secrets.of(endpoint);
      const body = webhookBody(notification);
      const headers = signedHeaders(notification.id, triedAt, body, secrets);
      return await this.sender.post(endpoint.url ?? '', headers, body);
    } catch (error) {
      if (!(error instanceof CannotUnseal)) throw error;
      this.log.error({ msg: 'webhook secret cannot be opened', endpointId: endpoint.id, err: error });
      return 'sealed';
    }
  }

  /**
   * Records outcomes under the work locks, and frees the deliveries that were not called.
   * @returns the results, without those of deliveries whose work lock was lost or that were deleted: of these nothing was written
   */
  private recordResults(attempts: readonly Attempt[], rest: readonly DueDelivery[]): Promise<readonly Recorded[]> {
    return this.tx.run(async () => {
      const now = this.clock.now();
      const endpointId = attempts[0]?.delivery.endpointId ?? '';
      const present = await this.endpointsRepository.findForNoKeyUpdate(endpointId);
      if (present === null) return [];
      const results = attempts.map(({ delivery, triedAt, durationMs, outcome }) => {
        const { endpoint, failures, triedSince } = delivery;
        const isMoved = present.url !== endpoint.url;
        const before = { failures, since: triedSince ?? triedAt, isEnabled: present.enabled, isMoved };
        return { delivery, triedAt, durationMs, outcome, result: resultOf(outcome, before, now, Math.random()) };
      });
      const told = await this.deliveriesRepository.findNotificationsForShare(
        attempts.map(({ delivery }) => delivery.notificationId),
      );
      const written = await this.deliveriesRepository.recordResults(
        results.map(({ delivery: { id, leaseToken }, triedAt, result }) => ({ id, leaseToken, triedAt, ...result })),
        now,
      );
      const recorded = results.filter(({ delivery }) => written.includes(delivery.id));
      await this.attempts.insert(
        recorded.map(({ delivery, triedAt, durationMs, outcome, result }) => ({
          id: newId(),
          tenantId: delivery.tenantId,
          deliveryId: delivery.id,
          triedAt,
          durationMs,
          url: delivery.endpoint.url,
          status: result.lastStatus,
          error: result.lastError,
          answer: answerTo(delivery.notification, outcome, told.get(delivery.notificationId)),
        })),
      );
      await this.deliveriesRepository.locks.giveBackAll(rest);
      const isLeaving = recorded.some(({ result }) => result.isGone) && present.enabled;
      if (isLeaving) await this.endpointsRepository.disableAsGone(endpointId, now);
      // Nothing waits for an endpoint that is switched off.
      if (isLeaving || !present.enabled) await this.deliveries.giveUp(endpointId);
      return recorded;
    });
  }
}

/** What is kept of a receiver's answer: nothing once the buyer was erased whom it was sent, since it may repeat that. Pure. */
const answerTo = (
  sent: NotificationEntity,
  outcome: CallOutcome,
  present: NotificationEntity | undefined,
): string | null =>
  typeof outcome === 'string' || present === undefined || webhookBody(present) !== webhookBody(sent)
    ? null
    : outcome.body;

/** A call whose outcome was recorded. */
interface Recorded {
  readonly delivery: DueDelivery;
  readonly result: DeliveryResult;
}
