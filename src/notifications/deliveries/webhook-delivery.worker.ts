import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Clock } from '../../common/system/index.js';
import { Config } from '../../common/config/index.js';
import { Transactions } from '../../common/database/index.js';
import type { LogContext } from '../../common/access/index.js';
import { PollingWorker } from '../../common/jobs/index.js';
import { CannotUnseal } from '../../common/sealing/index.js';
import { DeliveriesRepository, type DueDelivery } from './deliveries.repository.js';
import { DeliveriesService } from './deliveries.service.js';
import { resultOf, type CallOutcome, type DeliveryResult } from './delivery-result.js';
import { EndpointsRepository } from '../endpoints.repository.js';
import { signedHeaders, WebhookSecrets, WebhookSender } from '../outgoing-webhooks/index.js';
import { webhookBody } from './wording.js';

/** Calls that this process makes at once. */
const CONCURRENCY = 8;

/** Delivers webhooks. Mails are delivered by the outbox. */
@Injectable()
export class WebhookDeliveryWorker extends PollingWorker<DueDelivery> implements OnModuleInit {
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

  protected take(): Promise<DueDelivery | null> {
    return this.deliveriesRepository.take(this.clock.now());
  }

  protected override logContextOf({ tenantId }: DueDelivery): LogContext {
    return { tenantId };
  }

  protected async process(delivery: DueDelivery): Promise<void> {
    const result = await this.recordResult(delivery, await this.call(delivery));
    if (result === null) return;
    const { id: deliveryId, endpointId, attempts } = delivery;
    const { status, lastStatus, lastError } = result;
    const line = { msg: `webhook ${status}`, deliveryId, endpointId, attempts, lastStatus, lastError };
    if (status === 'delivered') this.log.log(line);
    else this.log.warn(line);
  }

  private async call({ endpoint, notification }: DueDelivery): Promise<CallOutcome> {
    try {
      const secrets = await this.secrets.of(endpoint);
      const body = webhookBody(notification);
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Pierhead',
        ...signedHeaders(notification.id, this.clock.now(), body, secrets),
      };
      return await this.sender.post(endpoint.url ?? '', headers, body);
    } catch (error) {
      if (!(error instanceof CannotUnseal)) throw error;
      this.log.error({ msg: 'webhook secret cannot be opened', endpointId: endpoint.id, err: error });
      return 'sealed';
    }
  }

  /** Records the outcome under the work lock. @returns null when that was lost or the delivery deleted: nothing was written */
  private recordResult(delivery: DueDelivery, outcome: CallOutcome): Promise<DeliveryResult | null> {
    const { endpoint, failures, triedSince } = delivery;
    return this.tx.run(async () => {
      const now = this.clock.now();
      const present = await this.endpointsRepository.findForNoKeyUpdate(endpoint.id);
      if (present === null) return null;
      const isMoved = present.url !== endpoint.url;
      const attempts = { failures, since: triedSince ?? now, isEnabled: present.enabled, isMoved };
      const result = resultOf(outcome, attempts, now, Math.random());
      if (!(await this.deliveriesRepository.recordResult(delivery, result, now))) return null;
      if (result.isGone && present.enabled) {
        await this.endpointsRepository.disableAsGone(endpoint.id, now);
        await this.deliveries.giveUp(endpoint.id);
      }
      return result;
    });
  }
}
