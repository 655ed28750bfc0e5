import { createHash } from 'node:crypto';
import type { ProcessorId } from '../../src/payments/index.js';
import type { Answer } from '../support/api.js';
import type { World } from '../support/app.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { SECRETS, signedBy } from '../support/payment-signers.js';
import { FULL_SIZE } from '../support/processor-events/index.js';
import type { Notification, Sale } from '../support/purchases.js';

interface Wish {
  readonly products?: readonly string[];
  readonly credentials?: object;
}

let sales = 0;

/** A tenant with a plan that one processor sells, and with a credential of that processor. */
export class Seller {
  private constructor(
    private readonly world: World,
    readonly processor: ProcessorId,
    readonly tenant: Tenant,
    readonly extensionId: string,
    readonly planId: string,
  ) {}

  static async in(world: World, processor: ProcessorId, wish: Wish = {}): Promise<Seller> {
    const tenant = await world.given.tenant();
    return Seller.of(world, processor, tenant, await world.given.extension(tenant), wish);
  }

  static async of(
    world: World,
    processor: ProcessorId,
    tenant: Tenant,
    extensionId: string,
    wish: Wish = {},
  ): Promise<Seller> {
    const planId = await world.given.plan(tenant, extensionId);
    const seller = new Seller(world, processor, tenant, extensionId, planId);
    await seller.sells(wish.products ?? FULL_SIZE[processor].sells);
    await seller.keeps({ webhookSecret: SECRETS[processor], ...wish.credentials });
    return seller;
  }

  private get api() {
    return this.world.api.as(this.tenant);
  }

  async keeps(credentials: object): Promise<string> {
    return expectStatus(await this.api.post('/credentials', { store: this.processor, credentials }), 201).body.id;
  }

  async sells(productIds: readonly string[], planId = this.planId, perUnit?: 'seats' | 'license'): Promise<void> {
    const list = productIds.map((productId) => ({ processor: this.processor, productId, perUnit }));
    expectStatus(await this.api.call('PUT', `/plans/${planId}/products`, list), 200);
  }

  /** A sale made now, with ids of its own. */
  sale(wish: Partial<Sale> = {}): Sale {
    const at = new Date(Math.floor(this.world.clock.now().getTime() / 1000) * 1000);
    return { tag: `s${++sales}`, email: `buyer${sales}@buyer.example`, at, ...wish };
  }

  /** Delivers a notification, signed now. */
  send(
    notification: Notification | string,
    wish: { readonly path?: string; readonly secret?: string; readonly to?: string; readonly via?: World } = {},
  ): Promise<Answer> {
    const body = typeof notification === 'string' ? notification : JSON.stringify(notification);
    // What names the event in a header stays the same over all deliveries of it.
    const eventId = `msg_${createHash('sha256').update(body).digest('hex').slice(0, 24)}`;
    const secret = wish.secret ?? SECRETS[this.processor];
    return this.post(body, signedBy(this.processor, secret, body, this.world.clock.now(), eventId), wish);
  }

  post(
    body: string | Buffer,
    headers: Readonly<Record<string, string>>,
    {
      path = 'payment',
      to = this.tenant.tenantId,
      via = this.world,
    }: { readonly path?: string; readonly to?: string; readonly via?: World } = {},
  ): Promise<Answer> {
    const raw = typeof body === 'string' ? body : new Uint8Array(body);
    return via.api.post(`/licensing/webhooks/${path}/${to}`, undefined, {
      raw,
      headers: { 'content-type': 'application/json', ...headers },
    });
  }

  /** Delivers all of them, each of which must be taken. */
  async sendAll(notifications: readonly Notification[]): Promise<string[]> {
    const outcomes: string[] = [];
    for (const notification of notifications)
      outcomes.push(expectStatus(await this.send(notification), 200).body.outcome);
    return outcomes;
  }

  // Test code reads what it expects of an answer that has been held against the description.
  // oxlint-disable-next-line typescript/no-explicit-any
  async licenses(filter = ''): Promise<any[]> {
    return expectStatus(await this.api.get(`/licenses?limit=100${filter}`), 200).body.items;
  }

  // oxlint-disable-next-line typescript/no-explicit-any
  async inbox(status?: string): Promise<any[]> {
    const query = status === undefined ? '' : `&status=${status}`;
    return expectStatus(await this.api.get(`/webhooks/inbox?limit=100${query}`), 200).body.items;
  }

  /** What the tenant was notified of sales that made no license. */
  async toldOfMissingLicenses(): Promise<readonly string[]> {
    const { items } = expectStatus(await this.api.get('/notifications'), 200).body;
    return items.flatMap(({ kind, message }: { readonly kind: string; readonly message: string }) =>
      kind === 'order_without_license' ? [message] : [],
    );
  }

  async replay(id: string): Promise<string> {
    return expectStatus(await this.api.post(`/webhooks/inbox/${id}/replay`, {}), 200).body.outcome;
  }

  /** `suspend`, `reinstate` or `revoke`, by hand. */
  async act(licenseId: string, action: string): Promise<void> {
    expectStatus(await this.api.post(`/licenses/${licenseId}/${action}`, {}), 200);
  }

  async deletes(licenseId: string): Promise<void> {
    expectStatus(await this.api.delete(`/licenses/${licenseId}`), 204);
  }
}
