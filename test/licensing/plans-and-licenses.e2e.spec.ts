import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api.js';
import { startWorld, type World } from '../support/app.js';
import { DAY, HOUR } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { Shop } from './shop.js';

const CODE = /^([0-9A-HJKMNP-TV-Z]{5}-){4}[0-9A-HJKMNP-TV-Z]{5}$/;
const invalid = (...fields: readonly string[]): object => ({
  status: 400,
  body: { code: 'invalid_request', errors: fields.map((field) => ({ field })) },
});
const problem = (status: number, code: string): object => ({ status, body: { code } });

describe('what a tenant sells', () => {
  let world: World;
  let tenant: Tenant;
  let extensionId: string;
  beforeAll(async () => {
    world = await startWorld({ env: { TENANT_QUOTAS: 'standard:0' } });
    tenant = await world.given.tenant();
    extensionId = await world.given.extension(tenant);
  });
  afterAll(() => world.close());

  const my = (method: string, path: string, body?: unknown): Promise<Answer> =>
    world.api.as(tenant).call(method, path, body);
  const shop = (wish?: Parameters<typeof Shop.open>[1]): Promise<Shop> => Shop.open(world, wish, tenant);

  describe('a plan', () => {
    it('allows three devices by default', async () => {
      const { status, body } = await my('POST', '/plans', { extensionId, tier: 'pro' });
      const now = world.clock.now().toISOString();
      expect(status).toBe(201);
      expect(body).toEqual({
        id: expect.any(String),
        extensionId,
        tier: 'pro',
        maxActivations: 3,
        entitlements: [],
        metadata: {},
        duration: null,
        durationFrom: 'issue',
        graceDays: 0,
        renewalLeewayHours: null,
        onEnd: 'expire',
        noticeDays: [],
        noticeText: null,
        trialDays: null,
        trialNeedsEmail: false,
        maxMembers: null,
        seatsPerMember: null,
        products: [],
        createdAt: now,
        updatedAt: now,
      });
      expect((await my('GET', `/plans/${body.id}`)).body).toEqual(body);
    });

    it('is unique per tier of an extension, also with ten simultaneous requests', async () => {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => my('POST', '/plans', { extensionId, tier: 'team', maxActivations: 10 })),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter(({ body }) => body.code === 'tier_exists')).toHaveLength(9);
      expect((await my('POST', '/plans', { extensionId, tier: 'Team' })).status).toBe(201);
    });

    it.each<[object, string]>([
      [{ tier: '' }, 'tier'],
      [{ tier: 'x'.repeat(33) }, 'tier'],
      [{ maxActivations: 0 }, 'maxActivations'],
      [{ maxActivations: 101 }, 'maxActivations'],
      [{ maxActivations: 1.5 }, 'maxActivations'],
      [{ maxActivations: '3' }, 'maxActivations'],
      [{ maxActivations: null }, 'maxActivations'],
      [{ extensionId: '' }, 'extensionId'],
      [{ name: 'x' }, 'name'],
    ])('is not created from %j', async (wish, field) => {
      expect(await my('POST', '/plans', { extensionId, tier: 'any', ...wish })).toMatchObject(invalid(field));
    });

    it('accepts the smallest and the largest values of the contract', async () => {
      for (const [tier, maxActivations] of [
        ['x', 1],
        ['x'.repeat(32), 100],
      ])
        expect(await my('POST', '/plans', { extensionId, tier, maxActivations })).toMatchObject({
          status: 201,
          body: { tier, maxActivations },
        });
    });

    it('is not created for another tenant’s extension', async () => {
      const foreign = await world.given.extension(await world.given.tenant());
      for (const id of [foreign, randomUUID(), 'none'])
        expect(await my('POST', '/plans', { extensionId: id, tier: 'x' })).toMatchObject(
          problem(404, 'extension_not_found'),
        );
    });

    it('changes its number of devices, never its tier', async () => {
      const id = await world.given.plan(tenant, extensionId);
      expect(await my('PATCH', `/plans/${id}`, { maxActivations: 9 })).toMatchObject({
        status: 200,
        body: { maxActivations: 9 },
      });
      const refused = await my('PATCH', `/plans/${id}`, { maxActivations: 5, tier: 'other' });
      expect(refused).toMatchObject(invalid('tier'));
      expect(refused.body.errors[0].message).toMatch(/cannot be changed/);
      expect(await my('PATCH', `/plans/${id}`, {})).toMatchObject(invalid('maxActivations'));
      expect((await my('GET', `/plans/${id}`)).body.maxActivations).toBe(9);
    });

    it('is listed by extension, newest first, in pages', async () => {
      const own = await world.given.extension(tenant);
      const ids = [await world.given.plan(tenant, own), await world.given.plan(tenant, own)].toReversed();
      const listed = (await my('GET', `/plans?extension=${own}`)).body.items.map(({ id }: { id: string }) => id);
      expect(listed).toEqual(ids);
      const first = (await my('GET', `/plans?extension=${own}&limit=1`)).body;
      expect((await my('GET', `/plans?limit=1&cursor=${first.nextCursor}`)).body.items[0].id).toBe(ids[1]);
    });

    it('has a list of products, each of which belongs to one plan of the extension', async () => {
      const [one, other] = [await world.given.plan(tenant, extensionId), await world.given.plan(tenant, extensionId)];
      const products = [
        { processor: 'stripe', productId: 'price_1', perUnit: 'license' },
        { processor: 'paddle', productId: 'price_1', perUnit: 'seats' },
      ];
      expect(await my('PUT', `/plans/${one}/products`, products)).toMatchObject({ status: 200, body: { products } });
      expect((await my('GET', `/plans/${one}`)).body.products).toEqual(products);
      expect(await my('PUT', `/plans/${other}/products`, products.slice(1))).toMatchObject(
        problem(409, 'product_taken'),
      );
      expect((await my('PUT', `/plans/${one}/products`, products.toReversed())).body.products).toEqual(
        products.toReversed(),
      );
      const [{ perUnit: _, ...plain }] = products.toReversed() as [(typeof products)[number]];
      expect((await my('PUT', `/plans/${one}/products`, [plain])).body.products).toEqual([
        { ...plain, perUnit: 'seats' },
      ]);
      expect((await my('PUT', `/plans/${one}/products`, [])).body.products).toEqual([]);
      expect((await my('PUT', `/plans/${other}/products`, products)).status).toBe(200);
      const another = await world.given.plan(tenant, await world.given.extension(tenant));
      expect((await my('PUT', `/plans/${another}/products`, products)).status).toBe(200);
      const theirs = await world.given.licensed();
      expect((await world.api.as(theirs).call('PUT', `/plans/${theirs.planId}/products`, products)).status).toBe(200);
    });

    it.each<[unknown, string]>([
      [{}, ''],
      [null, ''],
      [Array.from({ length: 101 }, (_, index) => ({ processor: 'stripe', productId: String(index) })), ''],
      [[7], '0'],
      [[[]], '0'],
      [[{ processor: 'stripe' }], '0.productId'],
      [
        [
          { processor: 'stripe', productId: 'a' },
          { processor: 'cash', productId: 'a' },
        ],
        '1.processor',
      ],
      [
        [
          { processor: 'stripe', productId: 'a' },
          { processor: 'stripe', productId: 'a' },
        ],
        '1.productId',
      ],
      [[{ processor: 'stripe', productId: 'a\0' }], '0.productId'],
      [[{ processor: 'stripe', productId: 'a', price: 1 }], '0.price'],
      [[{ processor: 'stripe', productId: 'a', perUnit: 'device' }], '0.perUnit'],
    ])('does not accept the products %j', async (products, field) => {
      const id = await world.given.plan(tenant, extensionId);
      const kept = [{ processor: 'polar', productId: id, perUnit: 'seats' }];
      await my('PUT', `/plans/${id}/products`, kept);
      expect(await my('PUT', `/plans/${id}/products`, products)).toMatchObject(invalid(field));
      expect((await my('GET', `/plans/${id}`)).body.products).toEqual(kept);
    });

    it('can be deleted until a license is issued', async () => {
      const id = await world.given.plan(tenant, extensionId);
      expect((await my('DELETE', `/plans/${id}`)).status).toBe(204);
      expect(await my('GET', `/plans/${id}`)).toMatchObject(problem(404, 'plan_not_found'));
      const { planId } = await world.given.licensed({}, tenant);
      expect(await my('DELETE', `/plans/${planId}`)).toMatchObject(problem(409, 'licenses_issued'));
    });
  });

  describe('a license', () => {
    it('is issued with a code that no later answer contains', async () => {
      const planId = await world.given.plan(tenant, extensionId, 4);
      const { status, body } = await my('POST', '/licenses', { planId, buyerEmail: 'Buyer@Example.com' });
      expect(status).toBe(201);
      const { code, ...license } = body;
      expect(code).toMatch(CODE);
      const now = world.clock.now().toISOString();
      expect(license).toEqual({
        id: expect.any(String),
        planId,
        extensionId,
        tier: expect.stringMatching(/^tier /),
        buyerEmail: 'buyer@example.com',
        campaign: null,
        codeHint: code.slice(-5),
        status: 'active',
        suspendedFor: null,
        revokedFor: null,
        expiresAt: null,
        duration: null,
        graceDays: 0,
        renews: false,
        renewsAt: null,
        renewalLeewayHours: null,
        onEnd: 'expire',
        maxMembers: null,
        seatsPerMember: null,
        team: null,
        maxActivations: null,
        entitlements: [],
        metadata: {},
        delivery: null,
        isTest: false,
        source: 'manual',
        seats: { used: 0, max: 4 },
        createdAt: now,
        updatedAt: now,
      });
      const { devices, ...shown } = (await my('GET', `/licenses/${license.id}`)).body;
      expect({ devices, shown }).toEqual({ devices: [], shown: license });
      expect((await my('GET', '/licenses?limit=1')).body.items).toEqual([license]);
    });

    it.each<[object, string]>([
      [{ planId: '' }, 'planId'],
      [{ buyerEmail: 'no address' }, 'buyerEmail'],
      [{ expiresAt: 'tomorrow' }, 'expiresAt'],
      [{ maxActivations: 0 }, 'maxActivations'],
      [{ maxActivations: 1_000_001 }, 'maxActivations'],
      [{ code: 'MINE' }, 'code'],
    ])('is not issued with %j', async (wish, field) => {
      const planId = await world.given.plan(tenant, extensionId);
      const wanted = { planId, buyerEmail: 'buyer@example.com', ...wish };
      expect(await my('POST', '/licenses', wanted)).toMatchObject(invalid(field));
    });

    it("is not issued of another tenant's plan", async () => {
      const { planId } = await world.given.licensed();
      for (const id of [planId, randomUUID(), 'none'])
        expect(await my('POST', '/licenses', { planId: id, buyerEmail: 'b@example.com' })).toMatchObject(
          problem(404, 'plan_not_found'),
        );
    });

    it('can be suspended, reinstated and revoked repeatedly, and a revocation is final', async () => {
      const sold = await shop();
      const device = await sold.seated();
      const is = async (act: string, status: string, suspendedFor: string | null = null): Promise<void> => {
        for (let time = 0; time < 2; time += 1)
          expect(await my('POST', `/licenses/${sold.licenseId}/${act}`)).toMatchObject({
            status: 200,
            body: { status, suspendedFor, seats: { used: 1 } },
          });
        expect((await sold.check(device)).body.reason).toBe(status);
      };
      await is('suspend', 'suspended', 'tenant');
      await is('reinstate', 'active');
      await is('revoke', 'revoked');
      for (const act of ['suspend', 'reinstate', 'rotate'])
        expect(await my('POST', `/licenses/${sold.licenseId}/${act}`)).toMatchObject({
          status: 409,
          body: {
            code: 'license_revoked',
            detail: expect.stringMatching(/cannot be reinstated\. Issue another license\.$/),
          },
        });
    });

    it('is revoked before suspended before expired before active, and is listed by that status', async () => {
      const own = await world.given.extension(tenant);
      const planId = await world.given.plan(tenant, own);
      const sell = async (expiresAt?: Date): Promise<string> =>
        (
          await world.given.licensed(
            { extensionId: own, planId, ...(expiresAt && { expiresAt: expiresAt.toISOString() }) },
            tenant,
          )
        ).licenseId;
      const soon = new Date(world.clock.now().getTime() + HOUR);
      const ids = {
        active: await sell(),
        expired: await sell(soon),
        suspended: await sell(soon),
        revoked: await sell(soon),
      };
      for (const id of [ids.suspended, ids.revoked]) await my('POST', `/licenses/${id}/suspend`);
      await my('POST', `/licenses/${ids.revoked}/revoke`);
      world.clock.forward(HOUR);
      for (const [status, id] of Object.entries(ids)) {
        const { items } = (await my('GET', `/licenses?extension=${own}&status=${status}`)).body;
        expect(items.map((each: { id: string; status: string }) => [each.id, each.status])).toEqual([[id, status]]);
      }
      expect(await my('GET', '/licenses?status=lost')).toMatchObject(invalid('status'));
    });

    it('is listed by buyer, extension and code, in pages, for its own tenant only', async () => {
      const [one, other] = [await world.given.licensed({}, tenant), await world.given.licensed({}, tenant)];
      const { buyerEmail, codeHint } = (await my('GET', `/licenses/${one.licenseId}`)).body;
      for (const query of [
        `email=${buyerEmail.toUpperCase()}`,
        `extension=${one.extensionId}`,
        `codeHint=${codeHint}`,
        `source=manual&email=${buyerEmail}`,
      ]) {
        const { items } = (await my('GET', `/licenses?${query}`)).body;
        expect(items.map(({ id }: { id: string }) => id)).toEqual([one.licenseId]);
      }
      for (const query of ['codeHint=00000', 'source=stripe:cs_1'])
        expect((await my('GET', `/licenses?${query}`)).body.items).toEqual([]);
      const first = (await my('GET', '/licenses?limit=1')).body;
      expect(first.items[0].id).toBe(other.licenseId);
      expect((await my('GET', `/licenses?limit=1&cursor=${first.nextCursor}`)).body.items[0].id).toBe(one.licenseId);
      const stranger = await world.given.tenant();
      expect((await world.api.as(stranger).get('/licenses')).body.items).toEqual([]);
      expect(await world.api.as(stranger).get(`/licenses?extension=${one.extensionId}`)).toMatchObject(
        problem(404, 'extension_not_found'),
      );
    });

    it('has expiry and number of devices changed separately, and cleared by null', async () => {
      const { licenseId } = await world.given.licensed({ maxActivations: 2 }, tenant);
      const end = new Date(world.clock.now().getTime() + DAY).toISOString();
      const patch = async (change: object) => {
        const { body } = expectStatus(await my('PATCH', `/licenses/${licenseId}`, change), 200);
        return [body.expiresAt, body.maxActivations, body.seats.max];
      };
      expect(await patch({ expiresAt: end })).toEqual([end, null, 2]);
      expect(await patch({ maxActivations: 7 })).toEqual([end, 7, 7]);
      expect(await patch({})).toEqual([end, 7, 7]);
      expect(await patch({ expiresAt: null })).toEqual([null, 7, 7]);
      expect(await patch({ maxActivations: null })).toEqual([null, null, 2]);
      expect(await my('PATCH', `/licenses/${licenseId}`, { tier: 'gold' })).toMatchObject(invalid('tier'));
    });

    it('lasts as long as its plan says, unless it is given an end or none', async () => {
      const made = await my('POST', '/plans', { extensionId, tier: 'a year', duration: 'P1Y' });
      const { id: planId, duration } = expectStatus(made, 201).body;
      expect(duration).toBe('P1Y');
      const issued = async (wish: object = {}): Promise<string | null> =>
        expectStatus(await my('POST', '/licenses', { planId, buyerEmail: 'ann@example.com', ...wish }), 201).body
          .expiresAt;
      const now = world.clock.now();
      const inAYear = `${now.getUTCFullYear() + 1}${now.toISOString().slice(4)}`;
      expect(await issued()).toBe(inAYear);
      expect(await issued({ expiresAt: null })).toBeNull();
      expect(await issued({ expiresAt: '2099-01-31T00:00:00.000Z' })).toBe('2099-01-31T00:00:00.000Z');
      const change = (fields: object) => my('PATCH', `/plans/${planId}`, fields);
      expect(expectStatus(await change({ maxActivations: 5 }), 200).body.duration).toBe('P1Y');
      for (const wrong of ['1Y', 'P0D', 'P1W', 'P1000D', 'P1Y2M', '', 1])
        expect(await change({ duration: wrong })).toMatchObject(invalid('duration'));
      expect(expectStatus(await change({ duration: null }), 200).body.duration).toBeNull();
      expect(await issued()).toBeNull();
    });

    it('gets another plan of its extension, and keeps code, devices, expiry and its own limit', async () => {
      const one = await world.given.licensed({ maxActivations: 2, expiresAt: '2099-01-31T00:00:00.000Z' }, tenant);
      const seat = { code: one.code, extensionId: one.extensionId, fingerprint: randomUUID() };
      expectStatus(await world.api.post('/licensing/activate', seat), 200);
      const planId = await world.given.plan(tenant, one.extensionId, 5);
      const path = `/licenses/${one.licenseId}`;
      const before = (await my('GET', path)).body;
      const { body } = expectStatus(await my('PATCH', path, { planId }), 200);
      const { updatedAt } = body;
      expect(body).toMatchObject({ planId, seats: { used: 1, max: 5 } });
      const { tier } = (await my('GET', `/plans/${planId}`)).body;
      expect((await my('GET', path)).body).toEqual({ ...before, planId, tier, seats: { used: 1, max: 5 }, updatedAt });
      expect((await world.api.post('/licensing/check', seat)).body).toMatchObject({ isActive: true, tier });
      const { text } = await my('GET', `/extensions/${one.extensionId}/events`);
      expect(text).toContain(`has the plan ${tier} now.`);
    });

    it('gets no plan of another extension, and none that is not there', async () => {
      const one = await world.given.licensed({}, tenant);
      const path = `/licenses/${one.licenseId}`;
      const elsewhere = await world.given.licensed({}, tenant);
      const strangers = await world.given.licensed({});
      const before = (await my('GET', path)).body;
      expect(await my('PATCH', path, { planId: elsewhere.planId })).toMatchObject(invalid('planId'));
      for (const planId of [strangers.planId, randomUUID(), 'none'])
        expect(await my('PATCH', path, { planId })).toMatchObject(problem(404, 'plan_not_found'));
      expect((await my('GET', path)).body).toEqual(before);
    });

    it('gets a plan that is being deleted, or the plan is gone: never both', async () => {
      const one = await world.given.licensed({}, tenant);
      const path = `/licenses/${one.licenseId}`;
      for (let time = 0; time < 10; time += 1) {
        const planId = await world.given.plan(tenant, one.extensionId);
        const [given, deleted] = await Promise.all([my('PATCH', path, { planId }), my('DELETE', `/plans/${planId}`)]);
        expect(['200 409', '404 204']).toContain(`${given.status} ${deleted.status}`);
      }
    });

    it('is extended from its end, once for each state that is named, and not without an end', async () => {
      const { licenseId } = await world.given.licensed({ expiresAt: '2099-01-31T00:00:00.000Z' }, tenant);
      const path = `/licenses/${licenseId}`;
      const { headers } = await my('GET', path);
      const extend = (term: object, tag?: string) =>
        world.api
          .as(tenant)
          .call('POST', `${path}/extend`, term, tag === undefined ? {} : { headers: { 'if-match': tag } });
      const once = await Promise.all(
        Array.from({ length: 5 }, () => extend({ count: 1, unit: 'months' }, headers.get('etag') ?? '')),
      );
      expect(once.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 412, 412, 412, 412]);
      expect((await my('GET', path)).body.expiresAt).toBe('2099-02-28T00:00:00.000Z');
      expect(expectStatus(await extend({ count: 10, unit: 'days' }), 200).body.expiresAt).toBe(
        '2099-03-10T00:00:00.000Z',
      );
      for (const term of [
        { count: 1000, unit: 'years' },
        { count: 0, unit: 'days' },
        { count: 1, unit: 'weeks' },
        { count: 1001, unit: 'days' },
        {},
      ])
        expect((await extend(term)).status).toBe(400);
      expectStatus(await my('PATCH', path, { expiresAt: null }), 200);
      expect(await extend({ count: 1, unit: 'years' })).toMatchObject(problem(409, 'license_never_expires'));
      expectStatus(await my('POST', `${path}/revoke`), 200);
      expect(await extend({ count: 1, unit: 'years' })).toMatchObject(problem(409, 'license_revoked'));
    });

    it('has its buyer’s address changed, in lower case, and takes none that is no address', async () => {
      const { licenseId } = await world.given.licensed({}, tenant);
      const path = `/licenses/${licenseId}`;
      const { codeHint } = (await my('GET', path)).body;
      const changed = await my('PATCH', path, { buyerEmail: 'New@Example.com' });
      expect(changed).toMatchObject({ status: 200, body: { buyerEmail: 'new@example.com', codeHint } });
      for (const buyerEmail of ['', 'nobody', null])
        expect(await my('PATCH', path, { buyerEmail })).toMatchObject(invalid('buyerEmail'));
      expect((await my('GET', path)).body.buyerEmail).toBe('new@example.com');
    });

    it('gets a new code; the old one seats no device, and devices keep their seats', async () => {
      const sold = await shop();
      const device = await sold.seated();
      const { body } = expectStatus(await my('POST', `/licenses/${sold.licenseId}/rotate`), 200);
      expect(body.code).toMatch(CODE);
      expect(body).toMatchObject({ codeHint: body.code.slice(-5), seats: { used: 1 } });
      expect((await sold.activate('another')).body.reason).toBe('code_replaced');
      expect((await sold.check(device, { code: body.code })).body.reason).toBe('active');
    });

    it('can be deleted once revoked, with its seats and its buyer', async () => {
      const sold = await shop();
      const device = await sold.seated();
      const path = `/licenses/${sold.licenseId}`;
      expect(await my('DELETE', path)).toMatchObject(problem(409, 'license_not_revoked'));
      const { buyerEmail } = (await my('POST', `${path}/revoke`)).body;
      expect((await my('DELETE', path)).status).toBe(204);
      expect(await my('GET', path)).toMatchObject(problem(404, 'license_not_found'));
      expect((await sold.check(device)).body.reason).toBe('invalid_code');
      const timeline = await my('GET', `/extensions/${sold.extensionId}/events`);
      expect(timeline.body.items.map(({ kind }: { kind: string }) => kind)).toEqual([
        'license_deleted',
        'license_revoked',
        'license_issued',
      ]);
      expect(timeline.text).not.toContain(buyerEmail);
    });

    it('keeps its extension from being deleted, even revoked, until it is deleted itself', async () => {
      const { extensionId: own, licenseId } = await world.given.licensed({}, tenant);
      const refused = problem(409, 'licenses_issued');
      expect(await my('DELETE', `/extensions/${own}`)).toMatchObject(refused);
      await my('POST', `/licenses/${licenseId}/revoke`);
      expect(await my('DELETE', `/extensions/${own}`)).toMatchObject(refused);
      expect((await my('GET', `/extensions/${own}`)).status).toBe(200);
      await my('DELETE', `/licenses/${licenseId}`);
      expect((await my('DELETE', `/extensions/${own}`)).status).toBe(204);
      expect((await my('GET', '/plans')).text).not.toContain(own);
    });

    it('and a simultaneous deletion of its extension end with one of the two', async () => {
      for (let round = 0; round < 5; round += 1) {
        const own = await world.given.extension(tenant);
        const planId = await world.given.plan(tenant, own);
        const [issued, deleted] = await Promise.all([
          my('POST', '/licenses', { planId, buyerEmail: 'b@example.com' }),
          my('DELETE', `/extensions/${own}`),
        ]);
        expect([
          [201, 409],
          [404, 204],
        ]).toContainEqual([issued.status, deleted.status]);
      }
    });
  });
});
