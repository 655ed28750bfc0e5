import { randomUUID } from 'node:crypto';
import type { NotificationDelivery } from '../../src/notifications/deliveries/deliveries.dto.js';
import type { NotificationEndpointWithSecret } from '../../src/notifications/endpoints/endpoints.dto.js';
import type { Notification } from '../../src/notifications/notifications.dto.js';
import type { FromJson } from '../../sandbox/sandbox-control.js';
import type { Answer, Api } from '../support/api.js';
import {
  EventsService,
  MailDeliveryWorker,
  ExpiryWarningsService,
  LicenseExpiryService,
  NotificationsService,
  WebhookDeliveryWorker,
  type World,
} from '../support/app.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { partOf, type SmtpServer, type TakenMail } from '../support/smtp-server.js';
import type { Received, Receiver } from './receiver.js';

/** A tenant with an extension and notification endpoints. */
export class Team {
  readonly path = `/${randomUUID()}`;

  private constructor(
    private readonly world: World,
    private readonly receiver: Receiver,
    readonly tenant: Tenant,
    readonly extensionId: string,
  ) {}

  static async in(world: World, receiver: Receiver): Promise<Team> {
    const tenant = await world.given.tenant();
    return new Team(world, receiver, tenant, await world.given.extension(tenant, 'Night Owl'));
  }

  get api(): Api {
    return this.world.api.as(this.tenant);
  }

  /** What came to the team's own webhook, oldest first. */
  get received(): readonly Received[] {
    return this.receiver.at(this.path);
  }

  async listen(wish: object = {}): Promise<FromJson<NotificationEndpointWithSecret>> {
    const body = { kind: 'webhook', url: this.receiver.url(this.path), ...wish };
    return expectStatus(await this.api.post('/notifications/endpoints', body), 201).body;
  }

  /** Adds a mail address, which its owner has not confirmed yet. */
  async addAddress(address: string): Promise<FromJson<NotificationEndpointWithSecret>> {
    return expectStatus(await this.api.post('/notifications/endpoints', { kind: 'mail', address }), 201).body;
  }

  /** Adds a mail address, and its owner confirms it. */
  async listenByMail(address: string, smtp: SmtpServer): Promise<FromJson<NotificationEndpointWithSecret>> {
    const endpoint = await this.addAddress(address);
    await confirm(this.world, smtp, address);
    return endpoint;
  }

  answers(status: number, headers: Readonly<Record<string, string>> = {}, times = Infinity): void {
    this.receiver.answer(this.path, status, headers, times);
  }

  /** Something happens to the extension, as the engine writes it into the timeline. */
  async happens(kind: string, extra: object = {}): Promise<void> {
    const { extensionId } = this;
    await this.world.app.get(EventsService).append({ extensionId, kind, message: `Store: ${kind}.`, ...extra });
  }

  /** Time passes, and what is then due is delivered. */
  async after(ms: number): Promise<void> {
    await this.world.forward(ms);
    await deliverWebhooks(this.world);
  }

  async deliveries(query = ''): Promise<readonly FromJson<NotificationDelivery>[]> {
    return expectStatus(await this.api.get(`/notifications/deliveries${query}`), 200).body.items;
  }

  async delivery(): Promise<FromJson<NotificationDelivery>> {
    const [only, ...more] = await this.deliveries();
    if (only === undefined || more.length > 0) throw new Error(`There are ${more.length} more deliveries, or none`);
    return only;
  }

  async notifications(): Promise<readonly FromJson<Notification>[]> {
    return expectStatus(await this.api.get('/notifications'), 200).body.items;
  }

  redeliver(id: string): Promise<Answer> {
    return this.api.post(`/notifications/deliveries/${id}/redeliver`);
  }
}

/** The link in a mail that asks for a confirmation, as the service under test is reached. */
export function confirmationIn(world: World, mail: TakenMail | undefined): string {
  const said = mail === undefined ? '' : partOf(mail, 'text/plain');
  const [, path] = /https?:\/\/[^/]+(\/notifications\/confirm\?token=\S+)/.exec(said) ?? [];
  if (path === undefined) throw new Error('The mail holds no link');
  return world.url + path;
}

/** Follows the confirmation link that was mailed to a new address. */
export async function confirm(world: World, smtp: SmtpServer, address: string): Promise<void> {
  await post(world);
  const confirmed = await fetch(confirmationIn(world, smtp.to(address).at(-1)), { method: 'POST' });
  if (confirmed.status !== 200) throw new Error(`The address was not confirmed: ${confirmed.status}`);
}

export const post = (world: World): Promise<void> => world.app.get(MailDeliveryWorker).tick();
/** What the service does by itself: hourly work, then deliveries. */
export async function deliverWebhooks({ app }: World): Promise<void> {
  await app.get(ExpiryWarningsService).check();
  await app.get(LicenseExpiryService).check();
  await app.get(NotificationsService).deleteOld();
  await app.get(WebhookDeliveryWorker).tick();
}
