import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../common/system/index.js';
import { Config } from '../common/config/index.js';
import { Leases, Transactions, type Lease } from '../common/database/index.js';
import { Rounds } from '../common/jobs/index.js';
import { CannotUnseal } from '../common/sealing/index.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryEntity } from './delivery.entity.js';
import { EndpointsService } from './endpoints.service.js';
import { ExpiryWatch } from './expiry-watch.service.js';
import { judge, type Verdict } from './verdict.js';
import { signedHeaders } from './webhooks/signature.js';
import { WebhookCaller, type WebhookAnswer, type WebhookFailure } from './webhooks/webhook-caller.js';
import { webhookBody } from './wording.js';

/** A lease is void this long after it was taken, by the database's clock; longer than a call may take. */
const LEASE_SECONDS = 30;
/** Calls at once by this process; of those at most one to an endpoint, so that a slow receiver keeps nobody else waiting. */
const CONCURRENCY = 8;
/** The advisory lock under which a delivery is claimed; a number that nothing else uses. */
const CLAIMING = 1_795_000_300;
const HOUR_MS = 3_600_000;
const KEPT_MS = 90 * 24 * HOUR_MS;

/** A claimed delivery with what it needs. */
type Parcel = DeliveryEntity & Required<Pick<DeliveryEntity, 'endpoint' | 'notification'>>;

/** Delivers webhooks, and looks hourly at what expires and what may be forgotten. Any number of processes may do this at once. */
@Injectable()
export class Courier implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(Courier.name);
  private readonly rounds: Rounds<Lease>;
  private readonly leases: Leases;
  private lookedAt = -Infinity;

  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly deliveries: DeliveriesService,
    private readonly endpoints: EndpointsService,
    private readonly caller: WebhookCaller,
    private readonly expiries: ExpiryWatch,
    config: Config,
  ) {
    this.leases = new Leases(tx, { table: 'notification_delivery', due: 'next_try_at', seconds: LEASE_SECONDS });
    this.rounds = new Rounds(this.log, {
      everyMs: config.reconcileEverySeconds * 1000,
      concurrency: CONCURRENCY,
      prepare: () => this.lookHourly(),
      claim: () => this.claim(),
      carryOut: (claim) => this.deliver(claim),
      dueInMs: () => this.untilDue(),
    });
    deliveries.added.add(async () => tx.afterCommit(() => this.rounds.soon()));
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.rounds.stop();
  }

  /** Delivers everything that is due. */
  async tick(): Promise<void> {
    await this.rounds.tick();
  }

  /** A fault in here must not stop the deliveries; it is looked again an hour later. */
  private async lookHourly(): Promise<void> {
    const now = this.clock.now().getTime();
    if (now - this.lookedAt < HOUR_MS) return;
    this.lookedAt = now;
    try {
      await this.expiries.check();
      await this.tx.query('delete from notification where created_at < $1', [new Date(now - KEPT_MS)]);
    } catch (error) {
      this.log.error({ msg: 'hourly look failed', err: error });
    }
  }

  /** Processes claim one after the other: only then does each see to which endpoints the others are delivering. */
  private claim(): Promise<Lease | null> {
    return this.tx.run(async () => {
      await this.tx.query('select pg_advisory_xact_lock($1)', [CLAIMING]);
      return this.leases.claimDue(this.clock.now(), {
        where: `exists (select from notification_endpoint where id = notification_delivery.endpoint_id and enabled)
            and not exists (select from notification_delivery busy
                             where busy.endpoint_id = notification_delivery.endpoint_id and busy.lease_until > now())`,
        set: 'attempts = attempts + 1, last_tried_at = $1, tried_since = coalesce(tried_since, $1)',
      });
    });
  }

  private async deliver(claim: Lease): Promise<void> {
    const parcel = (await this.tx.repository(DeliveryEntity).findOne({
      where: { id: claim.id, leaseToken: claim.leaseToken },
      relations: { endpoint: true, notification: true },
    })) as Parcel | null;
    // Deleted meanwhile.
    if (parcel === null) return;
    const verdict = await this.settle(claim, parcel, await this.call(parcel));
    const { id: deliveryId, endpointId, attempts } = parcel;
    if (verdict === null) return;
    const { status, lastStatus, lastError } = verdict;
    const line = { msg: `webhook ${status}`, deliveryId, endpointId, attempts, lastStatus, lastError };
    if (status === 'delivered') this.log.log(line);
    else this.log.warn(line);
  }

  private async call({ endpoint, notification }: Parcel): Promise<WebhookAnswer | WebhookFailure | 'sealed'> {
    try {
      const secrets = await this.endpoints.secretsOf(endpoint);
      const body = webhookBody(notification);
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Pierhead',
        ...signedHeaders(notification.id, this.clock.now(), body, secrets),
      };
      return await this.caller.post(endpoint.url ?? '', headers, body);
    } catch (error) {
      if (!(error instanceof CannotUnseal)) throw error;
      this.log.error({ msg: 'webhook secret cannot be opened', endpointId: endpoint.id, err: error });
      return 'sealed';
    }
  }

  /** Records the outcome under the lease. @returns null when it was lost, or the delivery is gone: nothing was written */
  private settle(
    { id, leaseToken }: Lease,
    { endpoint, failures, triedSince }: Parcel,
    answer: WebhookAnswer | WebhookFailure | 'sealed',
  ): Promise<Verdict | null> {
    return this.tx.run(async () => {
      const now = this.clock.now();
      const [present] = await this.tx.query<{ readonly enabled: boolean; readonly url: string }>(
        'select enabled, url from notification_endpoint where id = $1 for no key update',
        [endpoint.id],
      );
      if (present === undefined) return null;
      const tried = { failures, since: triedSince ?? now, isEnabled: present.enabled };
      const verdict = judge(answer, tried, now, Math.random());
      const rows = await this.tx.query(
        `update notification_delivery
            set status = $3, failures = $4, next_try_at = $5, last_status = $6, last_error = $7, delivered_at = $8,
                updated_at = $9, lease_token = null, lease_until = null
          where id = $1 and lease_token = $2 returning id`,
        [
          id,
          leaseToken,
          verdict.status,
          verdict.failures,
          verdict.nextTryAt,
          verdict.lastStatus,
          verdict.lastError,
          verdict.status === 'delivered' ? now : null,
          now,
        ],
      );
      if (rows.length === 0) return null;
      // Another URL than the one that answered may be well.
      if (verdict.isGone && present.enabled && present.url === endpoint.url) await this.switchOff(endpoint.id, now);
      return verdict;
    });
  }

  private async switchOff(endpointId: string, now: Date): Promise<void> {
    await this.tx.query(
      `update notification_endpoint set enabled = false, disabled_because = 'gone', updated_at = $2 where id = $1`,
      [endpointId, now],
    );
    await this.deliveries.giveUp(endpointId);
  }

  private async untilDue(): Promise<number | null> {
    const due = await this.leases.nextDue();
    return due === null ? null : due.getTime() - this.clock.now().getTime();
  }
}
