import { Injectable } from '@nestjs/common';
import { Clock } from '../common/system/index.js';
import { newRow, Transactions } from '../common/database/index.js';
import { readPage, toPage, type Page, type PageQuery } from '../common/fields/index.js';
import { InvalidRequest, NothingToUpdate, type FieldError } from '../common/problems/index.js';
import { CannotUnseal, Sealer } from '../common/sealing/index.js';
import { AccountsService } from '../identity/index.js';
import { MailLimits } from '../mail/index.js';
import { Confirmations } from './confirmations.service.js';
import { DeliveriesService } from './deliveries.service.js';
import { EndpointEntity } from './endpoint.entity.js';
import { NOTIFICATION_KINDS } from './kinds.js';
import type {
  CreateNotificationEndpoint,
  NotificationEndpoint,
  NotificationEndpointWithSecret,
  UpdateNotificationEndpoint,
} from './notifications.dto.js';
import { EndpointHasNoSecret, EndpointLimitReached, EndpointNotFound } from './notifications.problems.js';
import { newSecret } from './webhooks/signature.js';
import { WebhookCaller } from './webhooks/webhook-caller.js';

const LIMIT = 20;
/** How long a webhook is signed with its former secret too, so that its receiver can change over. */
const FORMER_MS = 86_400_000;

interface Secrets {
  readonly current: string;
  readonly former: string | null;
}

type KnownEndpoint = Omit<EndpointEntity, 'tenant'>;

/** Where each tenant wants to be told. */
@Injectable()
export class EndpointsService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly sealer: Sealer,
    private readonly accounts: AccountsService,
    private readonly deliveries: DeliveriesService,
    private readonly caller: WebhookCaller,
    private readonly confirmations: Confirmations,
    private readonly mailLimits: MailLimits,
  ) {}

  /** @throws InvalidRequest, EndpointLimitReached, RateLimited */
  async create(tenantId: string, input: CreateNotificationEndpoint): Promise<NotificationEndpointWithSecret> {
    this.mustFit(input.kind, input, true);
    const base = newRow(this.clock.now());
    const secret = input.kind === 'webhook' ? newSecret() : null;
    const row: KnownEndpoint = {
      ...base,
      tenantId,
      kind: input.kind,
      url: input.url ?? null,
      address: input.address ?? null,
      confirmedAt: null,
      confirmationDigest: null,
      confirmationUntil: null,
      events: input.events ?? [...NOTIFICATION_KINDS],
      enabled: input.enabled ?? true,
      disabledBecause: null,
      sealed: secret === null ? null : await this.seal(base.id, { current: secret, former: null }),
      formerUntil: null,
    };
    if (row.address !== null) await this.mailLimits.count(tenantId, row.address);
    await this.tx.run(async () => {
      const endpoints = this.tx.repository(EndpointEntity);
      await this.accounts.enforceLimit(tenantId, LIMIT, () => endpoints.countBy({ tenantId }), EndpointLimitReached);
      if (row.address !== null) Object.assign(row, await this.confirmations.request(row.id, row.address));
      await endpoints.insert(row);
    });
    return { ...toEndpoint(row, this.clock.now()), secret };
  }

  async list(tenantId: string, query: PageQuery): Promise<Page<NotificationEndpoint>> {
    const { limit, after } = readPage(query);
    const rows = await this.tx
      .repository(EndpointEntity)
      .createQueryBuilder('endpoint')
      .where({ tenantId })
      .andWhere('endpoint.id < :after', { after })
      .orderBy('endpoint.id', 'DESC')
      .limit(limit + 1)
      .getMany();
    return toPage(rows, limit, (row) => toEndpoint(row, this.clock.now()));
  }

  /** @throws EndpointNotFound */
  async get(tenantId: string, id: string): Promise<NotificationEndpoint> {
    return toEndpoint(await this.find(tenantId, id), this.clock.now());
  }

  /** @throws EndpointNotFound, InvalidRequest, NothingToUpdate, RateLimited */
  async update(tenantId: string, id: string, input: UpdateNotificationEndpoint): Promise<NotificationEndpoint> {
    if (input.address !== undefined) await this.mailLimits.count(tenantId, input.address);
    return this.tx.run(async () => {
      const row = await this.find(tenantId, id, 'for update');
      this.mustFit(row.kind, input, false);
      const { url = row.url, address = row.address, events = row.events, enabled = row.enabled } = input;
      const mustConfirm = address !== null && (address !== row.address || (input.address && row.confirmedAt === null));
      const isSame = url === row.url && !mustConfirm && enabled === row.enabled;
      if (isSame && events.toSorted().join() === row.events.toSorted().join()) throw new NothingToUpdate();
      if (row.enabled && !enabled) await this.deliveries.giveUp(id);
      const disabledBecause = enabled ? null : row.disabledBecause;
      if (mustConfirm) Object.assign(row, await this.confirmations.request(id, address));
      Object.assign(row, { url, address, events, enabled, disabledBecause, updatedAt: this.clock.now() });
      await this.tx.repository(EndpointEntity).save(row);
      return toEndpoint(row, this.clock.now());
    });
  }

  /** Deletes an endpoint with its deliveries; what waits for it is not sent any more. @throws EndpointNotFound */
  async delete(tenantId: string, id: string): Promise<void> {
    await this.tx.run(async () => {
      await this.find(tenantId, id, 'for update');
      await this.deliveries.withdraw(id);
      await this.confirmations.withdraw(id);
      await this.tx.repository(EndpointEntity).delete({ id });
    });
  }

  /**
   * Gives a webhook a new secret; for a day it is signed with the former one too.
   * @throws EndpointNotFound, EndpointHasNoSecret
   */
  async rotate(tenantId: string, id: string): Promise<NotificationEndpointWithSecret> {
    return this.tx.run(async () => {
      const row = await this.find(tenantId, id, 'for update');
      if (row.sealed === null) throw new EndpointHasNoSecret();
      const now = this.clock.now();
      const secret = newSecret();
      const former = await this.currentOf(row.id, row.sealed);
      const formerUntil = former === null ? null : new Date(now.getTime() + FORMER_MS);
      Object.assign(row, { sealed: await this.seal(id, { current: secret, former }), formerUntil, updatedAt: now });
      await this.tx.repository(EndpointEntity).save(row);
      return { ...toEndpoint(row, now), secret };
    });
  }

  /** The secrets that a webhook is signed with now, the newest first. @throws CannotUnseal */
  async secretsOf({ id, sealed, formerUntil }: KnownEndpoint): Promise<readonly string[]> {
    if (sealed === null) throw new Error('Only a webhook has secrets');
    const { current, former } = await this.unseal(id, sealed);
    return former !== null && isValid(formerUntil, this.clock.now()) ? [current, former] : [current];
  }

  private async seal(id: string, secrets: Secrets): Promise<string> {
    return this.sealer.seal(secrets, purposeOf(id));
  }

  /** The present secret; null when its key was lost, which a new secret mends. */
  private async currentOf(id: string, sealed: string): Promise<string | null> {
    try {
      return (await this.unseal(id, sealed)).current;
    } catch (error) {
      if (error instanceof CannotUnseal) return null;
      throw error;
    }
  }

  private async unseal(id: string, sealed: string): Promise<Secrets> {
    return (await this.sealer.unseal(sealed, purposeOf(id))) as Secrets;
  }

  /** @param isNew whether what the kind needs must be there */
  private mustFit(kind: EndpointEntity['kind'], input: UpdateNotificationEndpoint, isNew: boolean): void {
    const [needed, other] = kind === 'webhook' ? (['url', 'address'] as const) : (['address', 'url'] as const);
    const errors: FieldError[] = [];
    if (input[other] !== undefined)
      errors.push({ field: other, message: `does not belong to an endpoint of kind ${kind}.` });
    if (isNew && input[needed] === undefined)
      errors.push({ field: needed, message: `must be given for kind ${kind}.` });
    const fault = kind === 'webhook' && input.url !== undefined ? this.caller.faultOf(input.url) : null;
    if (fault !== null) errors.push({ field: 'url', message: fault });
    if (errors.length > 0) throw new InvalidRequest(errors);
  }

  private async find(tenantId: string, id: string, lock?: 'for update'): Promise<EndpointEntity> {
    const row = await this.tx.repository(EndpointEntity).findOne({
      where: { id, tenantId },
      ...(lock === undefined ? {} : { lock: { mode: 'pessimistic_write' as const } }),
    });
    if (row === null) throw new EndpointNotFound();
    return row;
  }
}

const purposeOf = (id: string): string => `notification-endpoint:${id}`;
const isValid = (until: Date | null, now: Date): until is Date => until !== null && until > now;

const toEndpoint = (row: KnownEndpoint, now: Date): NotificationEndpoint => ({
  id: row.id,
  kind: row.kind,
  url: row.url,
  address: row.address,
  confirmedAt: row.confirmedAt,
  events: row.events,
  enabled: row.enabled,
  disabledBecause: row.disabledBecause,
  formerSecretUntil: isValid(row.formerUntil, now) ? row.formerUntil : null,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});
