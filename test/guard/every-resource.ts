import { randomUUID } from 'node:crypto';
import type { Route } from '../../src/common/http/index.js';
import type { Answer } from '../support/api.js';
import { DataSource, ListingsWorker, RouteTable, WebhookDeliveryWorker, type World } from '../support/app.js';
import type { Publishable } from '../support/given.js';
import { SECRETS, signedBy } from '../support/payment-signers.js';
import { FULL_SIZE } from '../support/processor-events/index.js';

/** Bodies that get past validation, by operation; an empty object does for all others. */
const BODIES: Readonly<Record<string, object>> = {
  SearchController_search: { text: 'owl' },
  CiController_exchange: { token: 'none', tenantId: 'none' },
  TargetsController_create: { store: 'chrome' },
  RejectionsController_record: { version: '1.1.0', reason: 'It tracks users.' },
  ArtifactsController_check: {
    manifest: { manifest_version: 3, name: 'Owl', version: '1.2.0' },
    size: 1000,
    sha256: 'a'.repeat(64),
  },
  ApprovalsController_reject: { reason: 'It is late.' },
  RollbacksController_rollBack: { to: '0.9.0', version: '1.2.0', reason: 'It broke.' },
  PlansController_create: { extensionId: 'none', tier: 'any' },
  OrdersController_assignPlan: { planId: 'none' },
  PlansController_update: { maxActivations: 7 },
  PlansController_setProducts: [],
  LicensesController_issue: { planId: 'none', buyerEmail: 'buyer@example.com' },
  LicensesController_find: { code: 'none' },
  CustomersController_find: { email: 'buyer@example.com' },
  BatchesController_issue: { planId: 'none', count: 1, delivery: 'code' },
  LicenseDeskController_change: { action: 'suspend', ids: ['none'] },
  MembersController_update: { role: 'support' },
  LicensesController_extend: { count: 1, unit: 'years' },
  LicenseMembersController_invite: { email: 'member@example.com' },
  LicenseDevicesController_freeSeat: { fingerprint: 'a device' },
  TrialsController_update: { endsAt: '2020-01-01' },
  ReviewsController_answer: { text: 'Thank you.' },
};

/** A payment notification in the owner's inbox. */
async function notified(world: World, owner: Publishable): Promise<string> {
  const body = '{"id":"evt_1","type":"ping"}';
  const credentials = { webhookSecret: SECRETS.stripe };
  await world.api.as({ cookie: owner.cookie }).post('/credentials', { store: 'stripe', credentials });
  const headers = signedBy('stripe', SECRETS.stripe, body, world.clock.now());
  await world.api.post(`/licensing/webhooks/payment/${owner.tenantId}`, undefined, { raw: body, headers });
  return (await world.api.as({ token: owner.token }).get('/webhooks/inbox')).body.items[0].id;
}

/** A sale in the owner's inbox of something that no plan lists. */
export async function unlisted(world: World, owner: Publishable): Promise<string> {
  const sale = { tag: randomUUID(), email: 'buyer@example.com', at: new Date(Math.floor(Date.now() / 1000) * 1000) };
  const bag = { price: `price_${sale.tag}`, product: `prod_${sale.tag}`, quantity: 1 };
  const raw = JSON.stringify(FULL_SIZE.stripe.soldOnce(sale, { items: [bag] })[1]);
  const headers = signedBy('stripe', SECRETS.stripe, raw, world.clock.now());
  await world.api.post(`/licensing/webhooks/payment/${owner.tenantId}`, undefined, { raw, headers });
  const { items } = (await world.api.as({ token: owner.token }).get('/webhooks/inbox?status=unmapped')).body;
  return items.find(({ order }: { readonly order: string | null }) => order?.includes(sale.tag)).id;
}

/** What a user wrote about the owner's item. */
async function reviewed(world: World, { itemId, token }: Publishable): Promise<string> {
  await world.control.patch(itemId, { reviews: [{ id: 'one', rating: 2, createTime: '2026-01-31T10:00:00Z' }] });
  await world.app.get(ListingsWorker).tick();
  return (await world.api.as({ token }).get('/reviews')).body.items[0].id;
}

/** A trial of a new device. */
export async function tried(
  world: World,
  { token, extensionId }: Pick<Publishable, 'token' | 'extensionId'>,
  planId: string,
): Promise<string> {
  await world.api.as({ token }).patch(`/plans/${planId}`, { trialDays: 14 });
  const device = { extensionId, fingerprint: randomUUID(), deviceInfo: 'Laptop' };
  await world.api.post('/licensing/trial', device);
  return (await world.api.as({ token }).get(`/trials?extension=${extensionId}`)).body.items[0].id;
}

/** A request of another person that waits for an approval of an artifact. */
export async function askedFor(world: World, artifactId: string): Promise<string> {
  const id = randomUUID();
  const sql = `insert into approval (id, created_at, updated_at, extension_id, artifact_id, act, version, store_version, scope, sha256, requested_by, state)
               select $1, $3, $3, extension_id, id, 'push', version, store_version, scope, sha256, 'colleague@author.example', 'waiting' from artifact where id = $2`;
  await world.app.get(DataSource).query(sql, [id, artifactId, world.clock.now()]);
  return id;
}

/** Links a user to a person of an identity provider that was set before. */
export async function linked(world: World, { userId }: Pick<Publishable, 'userId'>): Promise<string> {
  const id = randomUUID();
  const sql = `insert into user_identity (id, created_at, updated_at, user_id, issuer, subject) values ($1, now(), now(), $2, 'https://login.example', $3)`;
  await world.app.get(DataSource).query(sql, [id, userId, `person ${id}`]);
  return id;
}

/** One of everything that a tenant can own, so that every route can be asked about a real thing. */
export class Resources {
  private constructor(
    private readonly world: World,
    readonly owner: Publishable,
    /** By the segment of a path that comes before an id. */
    private readonly ids: Readonly<Record<string, string>>,
    /** Of a plan that has a checkout at every processor. */
    private readonly checkoutQuery: string,
  ) {}

  static async in(world: World): Promise<Resources> {
    const owner = await world.given.publishable({ published: '1.0.0' });
    const artifact = (await world.given.pinned(owner, '1.1.0')).body.artifact.id;
    const key = `/extensions/${owner.extensionId}/targets/${owner.targetId}/signing-key`;
    await world.api.as({ cookie: owner.cookie }).post(key, {});
    const findings = (await world.api.as({ token: owner.token }).get(`/artifacts/${artifact}/findings`)).body.items;
    const webhook = { kind: 'webhook', url: 'http://127.0.0.1:9/' };
    const endpoint = (await world.api.as({ token: owner.token }).post('/notifications/endpoints', webhook)).body.id;
    const test = await world.api.as({ token: owner.token }).post(`/notifications/endpoints/${endpoint}/test`);
    await world.app.get(WebhookDeliveryWorker).tick();
    const rule = { name: 'Releases', repository: 'acme/tab-counter', ref: 'refs/tags/v*', scopes: ['artifacts:write'] };
    const trustRule = (await world.api.as({ cookie: owner.cookie }).post('/ci/trust-rules', rule)).body.id;
    const tokens = (await world.api.as({ cookie: owner.cookie }).get('/access-tokens')).body.items;
    const sessions = (await world.api.as({ cookie: owner.cookie }).get('/auth/sessions')).body.items;
    const member = (await world.given.member(owner, 'viewer')).userId;
    await world.given.invitation(owner, 'colleague@author.example');
    const invitation = (await world.api.as({ cookie: owner.cookie }).get('/invitations')).body.items[0].id;
    const exported = (await world.api.as({ cookie: owner.cookie }).post('/tenant/exports')).body.id;
    const { planId, licenseId, code } = await world.given.licensed({ extensionId: owner.extensionId }, owner);
    await world.api.as({ token: owner.token }).patch(`/licenses/${licenseId}`, { maxMembers: 1000 });
    const invited = { email: 'member@buyer.example' };
    const ofLicense = (await world.api.as({ token: owner.token }).post(`/licenses/${licenseId}/members`, invited)).body;
    await world.api.post('/licensing/activate', { code, extensionId: owner.extensionId, fingerprint: 'a device' });
    const [device] = (await world.api.as({ token: owner.token }).get(`/licenses/${licenseId}`)).body.devices;
    const trial = await tried(world, owner, planId);
    const imported = await world.given.importedFile(owner, owner.extensionId);
    const { tier } = (await world.api.as({ token: owner.token }).get(`/plans/${planId}`)).body;
    const inbox = await notified(world, owner);
    const bag = await unlisted(world, owner);
    const orders = (await world.api.as({ token: owner.token }).get('/orders')).body.items;
    await world.api.as({ token: owner.token }).post(`/webhooks/inbox/${bag}/unrelated`);
    const unrelated = (await world.api.as({ token: owner.token }).get('/webhooks/unrelated-products')).body.items;
    const approval = await askedFor(world, artifact);
    return new Resources(
      world,
      owner,
      {
        extensions: owner.extensionId,
        targets: owner.targetId,
        credentials: owner.credentialId,
        artifacts: artifact,
        approvals: approval,
        needs: `approval_waiting:${approval}`,
        findings: findings[0].id,
        plans: planId,
        licenses: licenseId,
        devices: device.id,
        trials: trial,
        keys: owner.extensionId,
        inbox,
        orders: orders[0].id,
        'unrelated-products': unrelated[0].id,
        payment: owner.tenantId,
        webhooks: 'stripe',
        'access-tokens': tokens[0].id,
        'trust-rules': trustRule,
        sessions: sessions[0].id,
        members: member,
        'licenses/members': ofLicense.id,
        invitations: invitation,
        exports: exported,
        'license-imports': imported,
        identities: await linked(world, owner),
        endpoints: endpoint,
        deliveries: test.body.id,
        reviews: await reviewed(world, owner),
      },
      new URLSearchParams({ extensionId: owner.extensionId, tier, fingerprint: 'a device' }).toString(),
    );
  }

  /** Every route of the API, those outside it left out. */
  get routes(): readonly Route[] {
    return this.world.app.get(RouteTable).routes.filter(({ path }) => path.startsWith('/api/'));
  }

  /** Whether a route is about something that a tenant owns. */
  isAbout({ path, operationId }: Route): boolean {
    return path.includes('{') || this.queryOf(operationId) !== '';
  }

  /** The path of a route about one of these resources, or about things called `id`, as a URL writes it. */
  pathOf({ path, operationId }: Route, id?: string): string {
    const [, root = ''] = path.replace('/api/v1', '').split('/');
    const named = path.replace('/api/v1', '').replaceAll(/([\w-]+)\/\{\w+\}/g, (_, segment: string) => {
      const own = this.ids[`${root}/${segment}`] ?? this.ids[segment];
      if (own === undefined) throw new Error(`Make one of ${segment} in test/guard/every-resource.ts`);
      return `${segment}/${id ?? own}`;
    });
    if (path.endsWith('/licensing/checkout')) return `${named}?${this.checkoutQuery}`;
    return named + this.queryOf(operationId, id);
  }

  /** A body that gets past validation. */
  bodyOf({ operationId }: Route): object {
    return BODIES[operationId] ?? {};
  }

  async ask(route: Route, as: { readonly token?: string; readonly cookie?: string }, id?: string): Promise<Answer> {
    const body = route.method === 'GET' || route.body === 'own' ? undefined : this.bodyOf(route);
    return this.world.api.as(as).call(route.method, this.pathOf(route, id), body);
  }

  /** Everything as its owner sees it. */
  async snapshot(): Promise<readonly unknown[]> {
    const { token, cookie } = this.owner;
    const reading = this.routes.filter(
      ({ method, path }) =>
        method === 'GET' &&
        // Who reads these leaves an entry in the audit log.
        !/download$|export$|faults$|codes$/.test(path) &&
        !/plan$|checkout$|next-steps$|instance$|auth\/oidc(\/callback)?$/.test(path),
    );
    const seen: unknown[] = [];
    for (const route of reading) {
      const { status, body } = await this.ask(route, route.access.kind === 'bearer' ? { token } : { cookie });
      seen.push(status === 200 ? body : body.code);
    }
    return seen;
  }

  /** The query in which an operation wants to be told an extension. */
  private queryOf(operationId: string, id?: string): string {
    const operations = Object.values(this.world.document.paths).flatMap((path) => Object.values(path));
    const { parameters = [] } = operations.find((one: { operationId?: string }) => one.operationId === operationId) as {
      readonly parameters?: readonly { readonly in: string; readonly name: string }[];
    };
    if (!parameters.some((parameter) => parameter.in === 'query' && parameter.name === 'extension')) return '';
    const version = parameters.some(({ name }) => name === 'version') ? '&version=9.9' : '';
    return `?extension=${id ?? this.ids['extensions']}${version}`;
  }
}
