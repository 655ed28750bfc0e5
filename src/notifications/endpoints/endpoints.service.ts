import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/access/index.js';
import { Clock, DAY_MS } from '../../common/system/index.js';
import { newRow, timeOfChange, Transactions } from '../../common/database/index.js';
import type { Precondition } from '../../common/http/index.js';
import { pageFrom, type Page, type PageQuery } from '../../common/fields/index.js';
import { NothingToUpdate, orThrow } from '../../common/problems/index.js';
import { AuditLog } from '../../platform/audit/index.js';
import { LICENSE_EVENTS } from '../../licensing/pure.js';
import { AccountsService } from '../../platform/accounts/index.js';
import { MailLimitsService } from '../../platform/mail/index.js';
import { ConfirmationsService } from './confirmations.service.js';
import { DeliveriesService, type RecentDeliveries } from '../deliveries/index.js';
import { isFormerValid, type EndpointEntity, type EndpointRow } from '../endpoint.entity.js';
import { EndpointsRepository } from '../endpoints.repository.js';
import { DEFAULT_KINDS } from '../kinds.js';
import type {
  CreateNotificationEndpoint,
  NotificationEndpoint,
  NotificationEndpointWithSecret,
  UpdateNotificationEndpoint,
} from './endpoints.dto.js';
import { EndpointHasNoSecret, EndpointLimitReached, EndpointNotFound } from '../endpoints.problems.js';
import { EndpointRulesService } from './endpoint-rules.service.js';
import { assertMayDirect, mayDirect } from '../license-readers.js';
import { urlShownTo } from '../shown-url.js';
import { newWebhookSecret, WebhookSecrets } from '../outgoing-webhooks/index.js';

const LIMIT = 20;
/** Time for which the former secret also signs, so that the receiver can switch. */
const FORMER_MS = DAY_MS;

/** The webhooks and e-mail addresses that receive a tenant's notifications. */
@Injectable()
export class EndpointsService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly endpoints: EndpointsRepository,
    private readonly secrets: WebhookSecrets,
    private readonly accounts: AccountsService,
    private readonly deliveries: DeliveriesService,
    private readonly confirmations: ConfirmationsService,
    private readonly mailLimits: MailLimitsService,
    private readonly rules: EndpointRulesService,
    private readonly audit: AuditLog,
  ) {}

  async create(caller: Caller, input: CreateNotificationEndpoint): Promise<NotificationEndpointWithSecret> {
    const { tenantId } = caller;
    this.rules.assertFieldsOf(input.kind, input, true);
    assertMayDirect(caller, input.events ?? []);
    await this.rules.assertOwn(tenantId, input);
    const base = newRow(this.clock.now());
    const secret = input.kind === 'webhook' ? newWebhookSecret() : null;
    const row: EndpointRow = {
      ...base,
      tenantId,
      kind: input.kind,
      url: input.url ?? null,
      address: input.address ?? null,
      confirmedAt: null,
      confirmationDigest: null,
      confirmationUntil: null,
      events: input.events ?? [...DEFAULT_KINDS],
      extensionIds: input.extensionIds ?? null,
      planIds: input.planIds ?? null,
      tiers: input.tiers ?? null,
      enabled: input.enabled ?? true,
      disabledBecause: null,
      sealed: secret === null ? null : await this.secrets.seal(base.id, { current: secret, former: null }),
      formerUntil: null,
    };
    if (row.address !== null) await this.mailLimits.count(tenantId, row.address);
    await this.tx.run(async () => {
      await this.accounts.enforceLimit(tenantId, LIMIT, () => this.endpoints.count(tenantId), EndpointLimitReached);
      if (row.address !== null) Object.assign(row, await this.confirmations.request(row, row.address));
      await this.endpoints.insert(row);
      await this.audit.record(tenantId, 'notification_endpoint.created', row, { after: recorded(row) });
    });
    return { ...toEndpoint(row, this.clock.now(), undefined), secret };
  }

  /** Lists endpoints, newest first. */
  async list(caller: Caller, query: PageQuery): Promise<Page<NotificationEndpoint>> {
    return pageFrom(
      query,
      async (start) => {
        const rows = await this.endpoints.list(caller.tenantId, start);
        const recent = await this.deliveries.recentOf(rows.map(({ id }) => id));
        return rows.map((row) => ({ ...row, recent: recent.get(row.id) }));
      },
      (row) => shownTo(caller, toEndpoint(row, this.clock.now(), row.recent)),
    );
  }

  async get(caller: Caller, id: string): Promise<NotificationEndpoint> {
    const row = orThrow(await this.endpoints.find(caller.tenantId, id), EndpointNotFound);
    return shownTo(caller, await this.withHealth(row));
  }

  async update(
    caller: Caller,
    id: string,
    input: UpdateNotificationEndpoint,
    expected: Precondition,
  ): Promise<NotificationEndpoint> {
    const { tenantId } = caller;
    if (input.address !== undefined) await this.mailLimits.count(tenantId, input.address);
    return this.tx.run(async () => {
      const row = await this.mustFindForUpdate(tenantId, id);
      expected.check(row);
      const before = recorded(row);
      this.rules.assertFieldsOf(row.kind, input, false);
      await this.rules.assertOwn(tenantId, input, row);
      const changed = settingsAfter(row, input);
      const { address, events, enabled } = changed;
      const mustConfirm = address !== null && (address !== row.address || (input.address && row.confirmedAt === null));
      // Before the change as well: events that wait would go to the new place.
      assertMayDirect(caller, [...row.events, ...events]);
      if (!mustConfirm && isSame(row, changed)) throw new NothingToUpdate();
      if (row.enabled && !enabled) await this.deliveries.giveUp(id);
      // What happened to licenses goes nowhere that somebody chose who may not read them, though it was chosen before.
      const isElsewhere = changed.url !== row.url || address !== row.address;
      if (isElsewhere && !mayDirect(caller, LICENSE_EVENTS)) await this.deliveries.giveUp(id, LICENSE_EVENTS);
      const disabledBecause = enabled ? null : row.disabledBecause;
      if (mustConfirm) Object.assign(row, await this.confirmations.request(row, address));
      const updatedAt = timeOfChange(row, this.clock.now());
      Object.assign(row, { ...changed, disabledBecause, updatedAt });
      await this.endpoints.save(row);
      const change = { before, after: recorded(row) };
      await this.audit.record(tenantId, 'notification_endpoint.updated', row, change);
      return this.withHealth(row);
    });
  }

  /** Deletes an endpoint and its deliveries; pending ones are not sent. */
  async delete(tenantId: string, id: string, expected: Precondition): Promise<void> {
    await this.tx.run(async () => {
      const row = await this.mustFindForUpdate(tenantId, id);
      expected.check(row);
      await this.deliveries.withdraw(id);
      await this.confirmations.withdraw(id);
      await this.endpoints.delete(id);
      await this.audit.record(tenantId, 'notification_endpoint.deleted', row, { before: recorded(row) });
    });
  }

  /** Replaces a webhook's secret. The former one also signs for another day. */
  async rotate(tenantId: string, id: string): Promise<NotificationEndpointWithSecret> {
    return this.tx.run(async () => {
      const row = await this.mustFindForUpdate(tenantId, id);
      if (row.sealed === null) throw new EndpointHasNoSecret();
      const now = this.clock.now();
      const secret = newWebhookSecret();
      const former = await this.secrets.currentOf(row.id, row.sealed);
      const formerUntil = former === null ? null : new Date(now.getTime() + FORMER_MS);
      const sealed = await this.secrets.seal(id, { current: secret, former });
      Object.assign(row, { sealed, formerUntil, updatedAt: timeOfChange(row, now) });
      await this.endpoints.save(row);
      await this.audit.record(tenantId, 'notification_endpoint.rotated', row);
      return { ...(await this.withHealth(row)), secret };
    });
  }

  private async withHealth(row: EndpointRow): Promise<NotificationEndpoint> {
    const recent = await this.deliveries.recentOf([row.id]);
    return toEndpoint(row, this.clock.now(), recent.get(row.id));
  }

  private async mustFindForUpdate(tenantId: string, id: string): Promise<EndpointEntity> {
    return orThrow(await this.endpoints.findForUpdate(tenantId, id), EndpointNotFound);
  }
}

const SETTINGS = ['url', 'address', 'events', 'extensionIds', 'planIds', 'tiers', 'enabled'] as const;
type Settings = Pick<EndpointRow, (typeof SETTINGS)[number]>;

/** The settings of an endpoint after a change: what is absent stays as it is. */
const settingsAfter = (row: EndpointRow, input: UpdateNotificationEndpoint): Settings =>
  Object.fromEntries(SETTINGS.map((name) => [name, input[name] === undefined ? row[name] : input[name]])) as never;

/** Whether a change leaves everything as it is; the order of a list does not count. */
const isSame = (before: Settings, after: Settings): boolean =>
  SETTINGS.every((name) => comparable(before[name]) === comparable(after[name]));

const comparable = (value: Settings[keyof Settings]): string =>
  Array.isArray(value)
    ? [...value]
        .map(String)
        .toSorted((one, other) => one.localeCompare(other))
        .join()
    : String(value);

/** The row as the audit log may keep it: only the host of a URL, since the rest may hold a secret. */
const recorded = (row: EndpointRow): object => ({ ...row, host: row.url === null ? null : new URL(row.url).host });

const shownTo = (caller: Caller, endpoint: NotificationEndpoint): NotificationEndpoint =>
  endpoint.url === null ? endpoint : { ...endpoint, url: urlShownTo(caller, endpoint.url) };

const toEndpoint = (row: EndpointRow, now: Date, recent: RecentDeliveries | undefined): NotificationEndpoint => ({
  id: row.id,
  kind: row.kind,
  url: row.url,
  address: row.address,
  confirmedAt: row.confirmedAt,
  confirmationExpiresAt: row.confirmationUntil,
  events: row.events,
  extensionIds: row.extensionIds,
  planIds: row.planIds,
  tiers: row.tiers,
  enabled: row.enabled,
  disabledBecause: row.disabledBecause,
  health: {
    state: recent?.isFailing === true ? 'failing' : 'ok',
    failed: recent?.failed ?? 0,
    of: recent?.of ?? 0,
    lastWeek: { tried: recent?.tried ?? 0, arrived: recent?.arrived ?? 0 },
  },
  formerSecretUntil: isFormerValid(row.formerUntil, now) ? row.formerUntil : null,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});
