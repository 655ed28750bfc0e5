import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Api } from '../support/api.js';
import { startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { TrialOffer } from '../licensing/trials/trials.js';
import { Resources } from './every-resource.js';

const OLD = '"2020-01-01T00:00:00.000Z"';
const stale = { status: 412, body: { code: 'precondition_failed' } };

/** What people make and end, and never edit. */
const NEVER_EDITED = [
  'ImportsController_delete',
  'LicenseDevicesController_deleteDevice',
  'IdentitiesController_unlink',
  'SessionsController_endOthers',
  'SessionsController_end',
  'InvitationsController_revoke',
  'AccessTokensController_revoke',
  'TrustRulesController_delete',
  'SigningKeysController_remove',
  'ReviewsController_withdraw',
  'LicenseMembersController_remove',
  'UnrelatedProductsController_delete',
  'TenantDeletionController_cancel',
];

/** A resource that people edit. */
interface Edited {
  readonly api: Api;
  /** Of the resource itself. */
  readonly path: string;
  /** Differs with each call. */
  readonly change: (times: number) => object;
  /** Where the resource is read, when not at its own path. */
  readonly listedAs?: string;
  /** Set where every tenant has one. */
  readonly stays?: true;
}

const KINDS: Readonly<Record<string, (world: World) => Promise<Edited>>> = {
  extension: async (world) => {
    const owner = await world.given.tenant();
    const path = `/extensions/${await world.given.extension(owner)}`;
    return { api: world.api.as(owner), path, change: (n) => ({ name: `Owl ${n}` }) };
  },
  target: async (world) => {
    const owner = await world.given.tenant();
    const extensionId = await world.given.extension(owner);
    const path = `/extensions/${extensionId}/targets/${await world.given.targetOf(owner, extensionId, 'firefox')}`;
    return { api: world.api.as(owner), path, change: (n) => ({ releaseNotes: `Note ${n}` }) };
  },
  plan: async (world) => {
    const owner = await world.given.tenant();
    const path = `/plans/${await world.given.plan(owner, await world.given.extension(owner))}`;
    return { api: world.api.as(owner), path, change: (n) => ({ maxActivations: 10 + n }) };
  },
  license: async (world) => {
    const owner = await world.given.licensed();
    const path = `/licenses/${owner.licenseId}`;
    expectStatus(await world.api.as(owner).post(`${path}/revoke`), 200);
    return { api: world.api.as(owner), path, change: (n) => ({ maxActivations: 10 + n }) };
  },
  trial: async (world) => {
    const { tenant, ...offer } = await TrialOffer.open(world);
    const device = { extensionId: offer.extensionId, fingerprint: 'a device' };
    expectStatus(await world.api.post('/licensing/trial', device), 200);
    const { items } = expectStatus(await world.api.as(tenant).get('/trials'), 200).body;
    const change = (n: number) => ({ endsAt: new Date(world.clock.now().getTime() + n * 3_600_000).toISOString() });
    return { api: world.api.as(tenant), path: `/trials/${items[0].id}`, change };
  },
  credential: async (world) => {
    const { cookie } = await world.given.tenant();
    const account = await world.control.chromeAccount();
    const credentials = { publisherId: account.publisherId, serviceAccount: account.serviceAccount };
    const { id } = expectStatus(
      await world.api.as({ cookie }).post('/credentials', { store: 'chrome', credentials }),
      201,
    ).body;
    return { api: world.api.as({ cookie }), path: `/credentials/${id}`, change: (n) => ({ label: `Key ${n}` }) };
  },
  'notification endpoint': async (world) => {
    const api = world.api.as(await world.given.tenant());
    const webhook = { kind: 'webhook', url: 'http://127.0.0.1:9/' };
    const { id } = expectStatus(await api.post('/notifications/endpoints', webhook), 201).body;
    return { api, path: `/notifications/endpoints/${id}`, change: (n) => ({ url: `http://127.0.0.1:9/${n}` }) };
  },
  branding: async (world) => {
    const owner = await world.given.tenant();
    return { api: world.api.as(owner), path: '/branding', change: (n) => ({ displayName: `Owl ${n}` }), stays: true };
  },
  member: async (world) => {
    const { cookie } = await world.given.tenant();
    const { userId } = await world.given.member({ cookie }, 'viewer');
    const change = (n: number) => ({ role: n % 2 === 0 ? 'support' : 'publisher' });
    return { api: world.api.as({ cookie }), path: `/members/${userId}`, change, listedAs: '/members' };
  },
};

/** Reads a resource, and makes its tag of what every answer says of it. */
async function read({ api, path, listedAs }: Edited): Promise<{ readonly body: unknown; readonly tag: string }> {
  const answer = expectStatus(await api.get(listedAs ?? path), 200);
  const isIt = ({ userId }: { readonly userId: string }) => path.endsWith(userId);
  const body = listedAs === undefined ? answer.body : answer.body.items.find(isIt);
  const tag = `"${body.updatedAt}"`;
  if (listedAs === undefined) expect(answer.headers.get('etag')).toBe(tag);
  return { body, tag };
}

const expecting = (tag: string) => ({ headers: { 'if-match': tag } });
const statuses = (answers: readonly Answer[]) =>
  answers.map(({ status }) => status).toSorted((one, other) => one - other);

describe('changes that expect a state', () => {
  let world: World;
  beforeAll(async () => void (world = await startWorld()));
  afterAll(() => world.close());

  it('can be made to everything that people edit', async () => {
    const { routes } = await Resources.in(world);
    const changing = routes.filter(({ method }) => ['PATCH', 'PUT', 'DELETE'].includes(method));
    const without = changing.filter(({ problems }) => !problems.some(({ code }) => code === 'precondition_failed'));
    expect(without.map(({ operationId }) => operationId)).toEqual(NEVER_EDITED);
    expect(changing.filter((route) => !without.includes(route)).every((route) => route.sendsEntityTags)).toBe(true);
  });

  describe.each(Object.entries(KINDS))('of a %s', (_, make) => {
    let edited: Edited;
    beforeAll(async () => void (edited = await make(world)));

    it('are refused when it has changed, and change nothing', async () => {
      const { api, path, change, stays } = edited;
      const before = await read(edited);
      for (const tag of [OLD, `W/${before.tag}`, `${OLD}, "x"`]) {
        expect(await api.patch(path, change(1), expecting(tag))).toMatchObject(stale);
        if (stays === undefined) expect(await api.delete(path, expecting(tag))).toMatchObject(stale);
      }
      expect(await read(edited)).toEqual(before);
    });

    it('are made when it is as expected, and give it another tag', async () => {
      const { api, path, change } = edited;
      const { tag } = await read(edited);
      const made = expectStatus(await api.patch(path, change(2), expecting(`${OLD}, ${tag}`)), 200);
      expect(made.headers.get('etag')).toBe(`"${made.body.updatedAt}"`);
      expect(made.headers.get('etag')).not.toBe(tag);
      expectStatus(await api.patch(path, change(3), expecting('*')), 200);
      expectStatus(await api.patch(path, change(4)), 200);
    });

    it('are made once when several expect the same', async () => {
      const { api, path, change } = edited;
      const { tag } = await read(edited);
      const answers = await Promise.all([5, 7, 9, 11].map((n) => api.patch(path, change(n), expecting(tag))));
      expect(statuses(answers)).toEqual([200, 412, 412, 412]);
      const { tag: now } = await read(edited);
      expect(answers.find(({ status }) => status === 200)?.headers.get('etag')).toBe(now);
    });

    it('are refused when the header is not one', async () => {
      const { api, path, change } = edited;
      expect(await api.patch(path, change(12), expecting('latest'))).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ field: 'If-Match' }] },
      });
    });

    it('delete it when it is as expected', async () => {
      const { api, path, stays } = edited;
      const { tag } = await read(edited);
      if (stays === true) return expect((await api.delete(path, expecting(tag))).status).toBe(405);
      expectStatus(await api.delete(path, expecting(tag)), 204);
      expect((await api.delete(path, expecting(tag))).status).toBe(404);
    });
  });

  it('notice what Pierhead pins meanwhile, and the products of a plan', async () => {
    const owner = await world.given.publishable();
    const path = `/extensions/${owner.extensionId}/targets/${owner.targetId}`;
    const seen = (await world.api.as(owner).get(path)).headers.get('etag') ?? '';
    await world.given.pinned(owner, '1.0.0');
    expect(await world.api.as(owner).patch(path, { enabled: false }, expecting(seen))).toMatchObject(stale);

    const plan = `/plans/${await world.given.plan(owner, owner.extensionId)}`;
    const products = [{ processor: 'stripe', productId: 'price_1' }];
    expect(await world.api.as(owner).call('PUT', `${plan}/products`, products, expecting(OLD))).toMatchObject(stale);
    const tag = (await world.api.as(owner).get(plan)).headers.get('etag') ?? '';
    expectStatus(await world.api.as(owner).call('PUT', `${plan}/products`, products, expecting(tag)), 200);
    expect(await world.api.as(owner).patch(plan, { maxActivations: 9 }, expecting(tag))).toMatchObject(stale);
  });

  it('are not answered from a cache: what a store says changes without the tag', async () => {
    const owner = await world.given.publishable();
    const path = `/extensions/${owner.extensionId}/targets/${owner.targetId}`;
    const { headers } = await world.api.as(owner).get(path);
    const again = await world.api.as(owner).get(path, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
    expect(again.status).toBe(200);
    expect(again.headers.get('cache-control')).toBe('no-store');
  });
});
