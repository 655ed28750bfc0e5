import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compactVerify, createLocalJWKSet, decodeProtectedHeader } from 'jose';
import type { Answer } from '../support/api.js';
import { startWorld, type World, DataSource } from '../support/app.js';
import { DAY, HOUR, MINUTE } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { claimsOf, onServer, Shop, untilWaiting } from './shop.js';

const notEnabled = { status: 403, body: { code: 'licensing_not_enabled' } };
const notFound = { status: 404, body: { code: 'license_or_device_not_found' } };
const WRONG_CODE = '00000-00000-00000-00000-00000';
const pepper = (id: string, byte: number): string => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;

describe('the devices of a buyer', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  const settings = (shop: Shop, licensing: object): Promise<Answer> =>
    shop.mine('PATCH', `/extensions/${shop.extensionId}`, { licensing });
  const keysOf = async (shop: Shop) =>
    expectStatus(await world.api.get(`/licensing/keys/${shop.extensionId}`), 200).body;

  describe('get answers of a frozen shape', () => {
    const lease = expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]{86}$/);
    const nextCheckAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    /** The names of the fields of a JSON text, in its order. */
    const membersOf = ({ text }: Answer): string[] => Object.keys(JSON.parse(text) as object);

    it('for an activation', async () => {
      const shop = await Shop.open(world, { maxActivations: 1, expiresAt: '2200-01-01T00:00:00Z' });
      const { tier } = (await shop.mine('GET', `/licenses/${shop.licenseId}`)).body;
      const said = { tier, seats: { used: 1, max: 1 }, expiresAt: '2200-01-01T00:00:00.000Z', nextCheckAt, lease };
      const active = await shop.activate('one');
      expect(active.status).toBe(200);
      expect(active.body).toEqual({ success: true, isActive: true, reason: 'active', ...said });
      expect(membersOf(active)).toEqual([
        'success',
        'isActive',
        'reason',
        'tier',
        'seats',
        'expiresAt',
        'nextCheckAt',
        'lease',
      ]);
      expect((await shop.activate('one')).body).toEqual({ success: true, isActive: true, reason: 'active', ...said });
      expect((await shop.activate('two')).body).toEqual({
        success: false,
        isActive: false,
        reason: 'seat_limit_reached',
        ...said,
      });
      await shop.mine('POST', `/licenses/${shop.licenseId}/suspend`);
      expect((await shop.activate('one')).body).toEqual({
        success: false,
        isActive: false,
        reason: 'suspended',
        ...said,
      });
      await shop.mine('POST', `/licenses/${shop.licenseId}/revoke`);
      expect((await shop.activate('one')).body).toEqual({
        success: false,
        isActive: false,
        reason: 'revoked',
        ...said,
      });
      const nothing = { tier: null, seats: { used: 0, max: 0 }, expiresAt: null, nextCheckAt, lease };
      expect((await shop.activate('one', { code: WRONG_CODE })).body).toEqual({
        success: false,
        isActive: false,
        reason: 'invalid_code',
        ...nothing,
      });
    });

    it('for a check', async () => {
      const shop = await Shop.open(world, { maxActivations: 2 });
      await shop.activate('one');
      const said = { tier: expect.any(String), seats: { used: 1, max: 2 }, expiresAt: null, nextCheckAt, lease };
      const active = await shop.check('one');
      expect(active.status).toBe(200);
      expect(active.body).toEqual({ isActive: true, reason: 'active', ...said });
      expect(membersOf(active)).toEqual(['isActive', 'reason', 'tier', 'seats', 'expiresAt', 'nextCheckAt', 'lease']);
      expect((await shop.check('two')).body).toEqual({ isActive: false, reason: 'seat_not_active', ...said });
      expect(await shop.used()).toBe(1);
    });

    it('for a release', async () => {
      const shop = await Shop.open(world, { maxActivations: 2 });
      await shop.activate('one');
      for (let time = 0; time < 2; time += 1) {
        const released = await shop.release('one');
        expect(released.status).toBe(200);
        expect(released.text).toBe('{"released":true,"seats":{"used":0,"max":2}}');
      }
    });
  });

  it('get one seat each up to the limit, with any spelling of the code', async () => {
    const shop = await Shop.open(world, { maxActivations: 2 });
    const { code } = shop.license;
    for (const spelling of [
      code,
      code.toLowerCase(),
      code.replaceAll('-', ''),
      ` ${code.replaceAll('-', ' ')} `,
      code.replaceAll('0', 'o').replaceAll('1', 'l'),
    ])
      expect((await shop.activate('one', { code: spelling })).body).toMatchObject({
        success: true,
        seats: { used: 1, max: 2 },
      });
    expect((await shop.activate('two')).body).toMatchObject({ success: true, seats: { used: 2, max: 2 } });
    expect((await shop.activate('three')).body).toMatchObject({
      reason: 'seat_limit_reached',
      seats: { used: 2, max: 2 },
    });
    // Fingerprints are compared verbatim, spaces and case included.
    expect((await shop.activate(' one')).body.reason).toBe('seat_limit_reached');
    expect((await shop.check('ONE')).body.reason).toBe('seat_not_active');
  });

  it('are shown to the tenant with label and times, never with their fingerprint', async () => {
    const shop = await Shop.open(world);
    const at = world.clock.now().toISOString();
    await shop.activate('fp-MARKED-1', { deviceInfo: ' Laptop ' });
    await shop.activate('fp-MARKED-2', { deviceInfo: { label: 'Phone', os: 'MARKED os' } });
    await shop.activate('fp-MARKED-3');
    world.clock.forward(2 * HOUR);
    await shop.activate('fp-MARKED-3', { deviceInfo: 'Desk' });
    await shop.activate('fp-MARKED-1');
    const read = await shop.mine('GET', `/licenses/${shop.licenseId}`);
    const later = world.clock.now().toISOString();
    expect(read.body.devices).toEqual([
      { id: expect.any(String), label: 'Laptop', memberId: null, firstSeenAt: at, lastSeenAt: later },
      { id: expect.any(String), label: 'Phone', memberId: null, firstSeenAt: at, lastSeenAt: at },
      { id: expect.any(String), label: 'Desk', memberId: null, firstSeenAt: at, lastSeenAt: later },
    ]);
    expect(read.text).not.toContain('MARKED');
  });

  it('keep their seats when the limit is lowered, and no new device gets one until there is room', async () => {
    const shop = await Shop.open(world, { maxActivations: 3 });
    for (const device of ['one', 'two', 'three']) await shop.activate(device);
    await shop.mine('PATCH', `/plans/${shop.license.planId}`, { maxActivations: 1 });
    expect((await shop.check('three')).body).toMatchObject({ isActive: true, seats: { used: 3, max: 1 } });
    expect((await shop.activate('two')).body.success).toBe(true);
    await shop.release('one');
    expect((await shop.activate('four')).body).toMatchObject({
      reason: 'seat_limit_reached',
      seats: { used: 2, max: 1 },
    });
    await shop.mine('PATCH', `/licenses/${shop.licenseId}`, { maxActivations: 3 });
    expect((await shop.activate('four')).body).toMatchObject({ success: true, seats: { used: 3, max: 3 } });
  });

  it('are freed by the tenant and by the buyer, repeatedly, and only if they ever held a seat', async () => {
    const shop = await Shop.open(world, { maxActivations: 1 });
    const [one, two] = [await shop.seated(), randomUUID()];
    const path = `/licenses/${shop.licenseId}/release`;
    const released = { status: 200, body: { released: true, seats: { used: 0, max: 1 } } };
    expect(await shop.mine('POST', path, { fingerprint: two })).toMatchObject(notFound);
    expect(await shop.release(two)).toMatchObject(notFound);
    expect(await shop.release(one, { code: WRONG_CODE })).toMatchObject(notFound);
    expect(await shop.release(one, { extensionId: randomUUID() })).toMatchObject(notFound);
    for (let time = 0; time < 2; time += 1)
      expect(await shop.mine('POST', path, { fingerprint: one })).toMatchObject(released);
    expect((await shop.check(one)).body.reason).toBe('seat_not_active');
    expect((await shop.activate(two)).body.success).toBe(true);
    expect((await shop.release(one)).body).toMatchObject({ released: true, seats: { used: 1, max: 1 } });
    expect((await shop.check(two)).body.isActive).toBe(true);
    await settings(shop, { enabled: false });
    expect(await shop.release(two)).toMatchObject(released);
  });

  it('are freed by the tenant by their ids, repeatedly, and only on their own license', async () => {
    const [shop, other] = [await Shop.open(world, { maxActivations: 1 }), await Shop.open(world)];
    await shop.seated();
    const { devices } = (await shop.mine('GET', `/licenses/${shop.licenseId}`)).body;
    const pathOf = ({ licenseId }: Shop, device: string): string => `/licenses/${licenseId}/devices/${device}`;
    const path = pathOf(shop, devices[0].id);
    expect(await other.mine('DELETE', path)).toMatchObject(notFound);
    expect(await other.mine('DELETE', pathOf(other, devices[0].id))).toMatchObject(notFound);
    for (const stranger of [randomUUID(), 'none'])
      expect(await shop.mine('DELETE', pathOf(shop, stranger))).toMatchObject(notFound);
    expect((await shop.mine('GET', `/licenses/${shop.licenseId}`)).body.seats.used).toBe(1);
    for (let time = 0; time < 2; time += 1) expect(await shop.mine('DELETE', path)).toMatchObject({ status: 204 });
    expect((await shop.mine('GET', `/licenses/${shop.licenseId}`)).body.seats.used).toBe(0);
  });

  it('are freed by the tenant by a fingerprint, which the request must name', async () => {
    const shop = await Shop.open(world);
    await shop.seated();
    const { devices } = (await shop.mine('GET', `/licenses/${shop.licenseId}`)).body;
    for (const [body, field] of [
      [{}, 'fingerprint'],
      [{ fingerprint: '' }, 'fingerprint'],
      [{ fingerprint: 'one', deviceId: devices[0].id }, 'deviceId'],
    ] as const)
      expect(await shop.mine('POST', `/licenses/${shop.licenseId}/release`, body)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ field }] },
      });
  });

  it('are refused while licensing is off, without a plan or for an unknown extension, and accepted again afterwards', async () => {
    const shop = await Shop.open(world);
    const device = await shop.seated();
    const planless = await world.given.extension(shop.license);
    for (const extensionId of [planless, randomUUID(), 'none'])
      for (const code of [shop.license.code, WRONG_CODE, 'x']) {
        expect(await shop.activate(device, { extensionId, code })).toMatchObject(notEnabled);
        expect(await shop.check(device, { extensionId, code })).toMatchObject(notEnabled);
      }
    await settings(shop, { enabled: false });
    for (const code of [shop.license.code, 'x']) expect(await shop.check(device, { code })).toMatchObject(notEnabled);
    await settings(shop, { enabled: true });
    expect((await shop.check(device)).body.isActive).toBe(true);
    expect((await shop.check(device, { code: 'x' })).body.reason).toBe('invalid_code');
    await world.given.plan(shop.license, planless);
    expect((await shop.check(device, { extensionId: planless, code: 'x' })).body.reason).toBe('invalid_code');
  });

  it('lose their seat to another device only when no other is free and they have been idle for longer than the extension allows', async () => {
    const shop = await Shop.open(world, { maxActivations: 2 });
    const [idle, alive] = [await shop.seated(), await shop.seated()];
    world.clock.forward(20 * DAY);
    expect((await shop.check(alive)).body.isActive).toBe(true);
    world.clock.forward(10 * DAY);
    expect((await shop.activate('new')).body.reason).toBe('seat_limit_reached');
    world.clock.forward(1);
    expect((await shop.activate('new')).body).toMatchObject({ success: true, seats: { used: 2, max: 2 } });
    expect((await shop.check(idle)).body.reason).toBe('seat_not_active');
    expect((await shop.check(alive)).body.isActive).toBe(true);
    world.clock.forward(400 * DAY);
    expect((await shop.check('new')).body.isActive).toBe(true);
    await settings(shop, { seatIdleDays: null });
    expect((await shop.activate(idle)).body.reason).toBe('seat_limit_reached');
  });

  it('are kept alive by checks, which write once an hour', async () => {
    const shop = await Shop.open(world);
    const device = await shop.seated();
    const lastSeen = async (): Promise<string> =>
      (await shop.mine('GET', `/licenses/${shop.licenseId}`)).body.devices[0].lastSeenAt;
    const seatedAt = world.clock.now().toISOString();
    world.clock.forward(59 * MINUTE);
    await shop.check(device);
    expect(await lastSeen()).toBe(seatedAt);
    world.clock.forward(MINUTE);
    await shop.check(device);
    expect(await lastSeen()).toBe(world.clock.now().toISOString());
  });

  describe('get a lease', () => {
    const verified = async (shop: Shop, answer: Answer) => {
      const keys = createLocalJWKSet(await keysOf(shop));
      const { payload, protectedHeader } = await compactVerify(answer.body.lease, keys);
      return {
        claims: JSON.parse(new TextDecoder().decode(payload)) as Record<string, unknown>,
        header: protectedHeader,
      };
    };

    it('with the same content as the answer, signed by a key of the extension', async () => {
      const shop = await Shop.open(world);
      const nonce = randomUUID();
      const answer = await shop.activate('my device', { nonce });
      const iat = Math.floor(world.clock.now().getTime() / 1000);
      const { claims, header } = await verified(shop, answer);
      expect(header).toEqual({ alg: 'EdDSA', kid: (await keysOf(shop)).keys[0].kid });
      expect(claims).toEqual({
        iss: 'http://127.0.0.1:0',
        sub: shop.licenseId,
        ext: shop.extensionId,
        fph: createHash('sha256').update('my device').digest('base64url'),
        act: true,
        rsn: 'active',
        tier: answer.body.tier,
        iat,
        exp: iat + (7 * DAY) / 1000,
        nonce,
      });
    });

    it('also for a negative answer, and without a license for an invalid code', async () => {
      const shop = await Shop.open(world);
      const no = await verified(shop, await shop.check('a device'));
      expect(no.claims).toMatchObject({ act: false, rsn: 'seat_not_active', sub: shop.licenseId });
      const { claims } = await verified(shop, await shop.check('a device', { code: WRONG_CODE, nonce: 'n' }));
      expect(claims).toMatchObject({ act: false, rsn: 'invalid_code', tier: null, nonce: 'n' });
      expect(claims).not.toHaveProperty('sub');
    });

    it('that is valid for the offline grace period, and not after the license expires', async () => {
      const shop = await Shop.open(world);
      const device = await shop.seated();
      await settings(shop, { offlineGraceDays: 2 });
      const now = world.clock.now().getTime();
      expect(claimsOf(await shop.check(device)).exp).toBe(Math.floor((now + 2 * DAY) / 1000));
      const expiresAt = new Date(now + DAY).toISOString();
      await shop.mine('PATCH', `/licenses/${shop.licenseId}`, { expiresAt });
      const answer = await shop.check(device);
      expect(claimsOf(answer).exp).toBe(Math.floor((now + DAY) / 1000));
      expect(answer.body.nextCheckAt <= expiresAt).toBe(true);
      world.clock.forward(DAY);
      expect((await shop.check(device)).body).toMatchObject({ reason: 'expired', expiresAt });
    });

    it('that stays the same while it is fresh, unless they send a nonce or the answer changes', async () => {
      const shop = await Shop.open(world);
      const device = await shop.seated();
      const lease = async (extra: object = {}): Promise<string> => (await shop.check(device, { ...extra })).body.lease;
      const first = await lease();
      const nonced = await lease({ nonce: 'n' });
      world.clock.forward(MINUTE);
      expect(await lease()).toBe(first);
      expect(await lease({ nonce: 'n' })).not.toBe(nonced);
      const expiresAt = new Date(world.clock.now().getTime() + 3 * DAY).toISOString();
      await shop.mine('PATCH', `/licenses/${shop.licenseId}`, { expiresAt });
      const bounded = await shop.check(device);
      expect(claimsOf(bounded).exp).toBe(Math.floor(Date.parse(expiresAt) / 1000));
      await shop.mine('POST', `/licenses/${shop.licenseId}/suspend`);
      expect(claimsOf(await shop.check(device))).toMatchObject({ act: false, rsn: 'suspended' });
      await shop.mine('POST', `/licenses/${shop.licenseId}/reinstate`);
      expect(await lease()).toBe(bounded.body.lease);
      // A tenth of its three days.
      world.clock.forward(8 * HOUR);
      const later = await shop.check(device);
      expect(later.body.lease).not.toBe(bounded.body.lease);
      await verified(shop, later);
    });

    it('whose keys are public, two for each extension', async () => {
      const [shop, other] = [await Shop.open(world), await Shop.open(world)];
      const { keys } = await keysOf(shop);
      expect(keys.map(({ state }: { state: string }) => state)).toEqual(['current', 'next']);
      for (const key of keys)
        expect(key).toEqual({
          kty: 'OKP',
          crv: 'Ed25519',
          x: expect.stringMatching(/^[\w-]{43}$/),
          kid: expect.any(String),
          alg: 'EdDSA',
          use: 'sig',
          state: expect.any(String),
        });
      const theirs = (await keysOf(other)).keys.map(({ x }: { x: string }) => x);
      expect(keys.filter(({ x }: { x: string }) => theirs.includes(x))).toEqual([]);
      expect(await keysOf(shop)).toEqual({ keys });
      for (const id of [randomUUID(), 'none'])
        expect(await world.api.get(`/licensing/keys/${id}`)).toMatchObject({
          status: 404,
          body: { code: 'extension_not_found' },
        });
      const at = await Promise.all(Array.from({ length: 10 }, () => Shop.open(world, {}, shop.license).then(keysOf)));
      expect(new Set(at.flatMap(({ keys: each }) => each.map(({ x }: { x: string }) => x))).size).toBe(20);
    });

    it('signed, after a rotation, by the key that was published before', async () => {
      const shop = await Shop.open(world);
      const device = await shop.seated();
      const before = await shop.check(device);
      const [current, next] = (await keysOf(shop)).keys;
      const rotated = expectStatus(
        await shop.mine('POST', `/extensions/${shop.extensionId}/lease-keys/rotate`),
        200,
      ).body;
      expect(rotated).toEqual(await keysOf(shop));
      expect(rotated.keys).toEqual([
        { ...next, state: 'current' },
        expect.objectContaining({ state: 'next' }),
        { ...current, state: 'previous' },
      ]);
      for (const code of [shop.license.code, 'x']) {
        const after = await shop.check(device, { code });
        expect(decodeProtectedHeader(after.body.lease).kid).toBe(next.kid);
        await verified(shop, after);
      }
      await verified(shop, before);
      const path = `/extensions/${shop.extensionId}/lease-keys/rotate`;
      await Promise.all([shop.mine('POST', path), shop.mine('POST', path)]);
      const { keys } = await keysOf(shop);
      expect(keys.map(({ state }: { state: string }) => state)).toEqual(['current', 'next', 'previous']);
      expect(keys.map(({ kid }: { kid: string }) => kid)).not.toContain(next.kid);
      await verified(shop, await shop.check(device));
    });

    it.each(['next', 'current'])('whose %s key is made when it is missing', async (state) => {
      const shop = await Shop.open(world);
      const device = await shop.seated();
      const remove = 'delete from lease_key where extension_id = $1 and state = $2';
      await world.app.get(DataSource).query(remove, [shop.extensionId, state]);
      await shop.mine('POST', `/extensions/${shop.extensionId}/lease-keys/rotate`);
      const { keys } = await keysOf(shop);
      expect(keys.map((key: { state: string }) => key.state)).toEqual(['current', 'next', 'previous']);
      const after = await shop.check(device);
      expect(after.body.reason).toBe('active');
      await verified(shop, after);
    });
  });

  describe('that send unusual input', () => {
    const deep = { a: { a: { a: { a: {} } } } };
    it.each<[string, unknown]>([
      ['code', ''],
      ['code', 'x'.repeat(10_000)],
      ['code', 7],
      ['code', null],
      ['code', ['x']],
      ['code', { $ne: 1 }],
      ['code', 'a\0b'],
      ['code', '\ud800'],
      ['extensionId', ''],
      ['extensionId', 'x'.repeat(10_000)],
      ['extensionId', {}],
      ['extensionId', '\0'],
      ['fingerprint', ''],
      ['fingerprint', 'x'.repeat(513)],
      ['fingerprint', 'x'.repeat(10_000)],
      ['fingerprint', 7],
      ['fingerprint', 'a\0b'],
      ['fingerprint', 'a\udfff'],
      ['nonce', ''],
      ['nonce', 'x'.repeat(129)],
      ['nonce', null],
      ['nonce', '\ud800'],
      ['deviceInfo', 'x'.repeat(201)],
      ['deviceInfo', { label: 'a\0' }],
      ['__proto__', { isAdmin: true }],
    ])('such as %s: %j get a 400 that names the field', async (field, value) => {
      const shop = await Shop.open(world);
      const body = { code: shop.license.code, extensionId: shop.extensionId, fingerprint: 'one' };
      const raw = JSON.stringify(body).replace('{', `{${JSON.stringify(field)}:${JSON.stringify(value)},`);
      const own = field in body ? JSON.stringify({ ...body, [field]: value }) : raw;
      const answer = await world.api.post('/licensing/activate', undefined, {
        raw: own,
        headers: { 'content-type': 'application/json' },
      });
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ field }] } });
      expect(await shop.used()).toBe(0);
    });

    it.each([null, 7, true, [], ['Laptop'], {}, { label: 7 }, { label: null }])(
      'may say anything of the device: %j names none',
      async (deviceInfo) => {
        const shop = await Shop.open(world);
        expect(await shop.activate('one', { deviceInfo })).toMatchObject({ status: 200, body: { isActive: true } });
        const { body } = expectStatus(await shop.mine('GET', `/licenses/${shop.licenseId}`), 200);
        expect(body.devices).toMatchObject([{ label: null }]);
      },
    );

    it('such as unknown fields get the same answer as without them', async () => {
      const shop = await Shop.open(world);
      const extra = { version: '9.9', later: deep, label: 7, admin: true };
      expect((await shop.activate('one', extra)).body.success).toBe(true);
      expect((await shop.check('one', extra)).body.isActive).toBe(true);
      expect((await shop.release('one', extra)).body.released).toBe(true);
    });

    it('such as the longest fingerprint and nonce, in any alphabet, get a seat', async () => {
      const shop = await Shop.open(world);
      const nonce = 'ß'.repeat(128);
      const answer = await shop.activate('🦉'.repeat(512), { nonce });
      expect(answer.body.success).toBe(true);
      expect(claimsOf(answer)['nonce']).toBe(nonce);
    });
  });

  it('may send requests from any origin, without cookies, and read refusals too', async () => {
    const shop = await Shop.open(world);
    const origins = [
      'chrome-extension://abcdefghijklmnop',
      'moz-extension://1b2c3d',
      'safari-web-extension://X',
      'null',
    ];
    for (const origin of origins)
      for (const [path, method] of [
        ['/licensing/activate', 'POST'],
        ['/licensing/check', 'POST'],
        ['/licensing/release', 'POST'],
        [`/licensing/keys/${shop.extensionId}`, 'GET'],
      ] as const) {
        const preflight = await fetch(`${world.url}/api/v1${path}`, {
          method: 'OPTIONS',
          headers: {
            origin,
            'access-control-request-method': method,
            'access-control-request-headers': 'content-type',
          },
        });
        expect(preflight.status).toBe(204);
        expect(Object.fromEntries(preflight.headers)).toMatchObject({
          'access-control-allow-origin': '*',
          'access-control-allow-methods': method,
          'access-control-allow-headers': 'Content-Type',
          'access-control-max-age': '86400',
        });
        const { headers } = await world.api.call(method, path, method === 'GET' ? undefined : { code: 7 }, {
          headers: { origin },
        });
        expect(headers.get('access-control-allow-origin')).toBe('*');
        expect(headers.get('access-control-expose-headers')).toContain('Retry-After');
        expect(headers.get('access-control-allow-credentials')).toBeNull();
      }
    for (const path of ['/licenses', '/auth/login', '/extensions']) {
      const response = await fetch(`${world.url}/api/v1${path}`, {
        method: 'OPTIONS',
        headers: { origin: 'https://x.example' },
      });
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([405, null]);
    }
  });

  it('keep their codes when the pepper is replaced, and each code moves to the new pepper at its next use', async () => {
    const [used, unused] = [await Shop.open(world), await Shop.open(world)];
    const device = await used.seated();
    const old = pepper('k1', 7);
    const between = await startWorld({ with: world, env: { CODE_PEPPERS: `${pepper('k2', 9)},${old}` } });
    expect((await used.through(between).check(device)).body.isActive).toBe(true);
    expect((await used.through(between).activate(device)).body.isActive).toBe(true);
    await between.close();
    const after = await startWorld({ with: world, env: { CODE_PEPPERS: pepper('k2', 9) } });
    expect((await used.through(after).check(device)).body.isActive).toBe(true);
    expect((await unused.through(after).check(device)).body.reason).toBe('invalid_code');
    await after.close();
    expect((await unused.check(device)).body.reason).toBe('seat_not_active');
  });

  it('keep a seat that looked idle when a heartbeat of it is written while another device takes it', async () => {
    if (!onServer) return;
    const shop = await Shop.open(world, { maxActivations: 1 });
    const [idle, other] = [await shop.seated(), randomUUID()];
    expectStatus(await shop.mine('PATCH', `/extensions/${shop.extensionId}`, { licensing: { seatIdleDays: 1 } }), 200);
    world.clock.forward(2 * DAY);
    const runner = world.app.get(DataSource).createQueryRunner();
    await runner.startTransaction();
    await runner.query('update seat set last_seen_at = $2 where license_id = $1', [shop.licenseId, world.clock.now()]);
    const taking = shop.activate(other);
    await untilWaiting(world);
    await runner.commitTransaction();
    await runner.release();
    expect((await taking).body).toMatchObject({ success: false, reason: 'seat_limit_reached' });
    expect((await shop.check(idle)).body.isActive).toBe(true);
  });

  it('get an answer at once while another transaction has locked a license whose code is to move to a new pepper', async () => {
    const shop = await Shop.open(world);
    const device = await shop.seated();
    const peppers = `${pepper('k2', 9)},${pepper('k1', 7)}`;
    const between = await startWorld({ with: world, env: { CODE_PEPPERS: peppers } });
    const runner = world.app.get(DataSource).createQueryRunner();
    if (onServer) {
      await runner.startTransaction();
      await runner.query('select id from license where id = $1 for update', [shop.licenseId]);
    }
    expect((await shop.through(between).check(device)).body.isActive).toBe(true);
    if (onServer) await runner.rollbackTransaction();
    await runner.release();
    expect((await shop.through(between).check(device)).body.isActive).toBe(true);
    const kept = await world.app
      .get(DataSource)
      .query('select code_pepper from license where id = $1', [shop.licenseId]);
    expect(kept).toEqual([{ code_pepper: 'k2' }]);
    await between.close();
  });

  it('leave no code and no fingerprint in the database, in a log line, or in any answer but the first', async () => {
    const shop = await Shop.open(world);
    const fingerprint = `MARKED-${randomUUID()}`;
    const answers = [
      await shop.activate(fingerprint, { deviceInfo: 'Laptop' }),
      await shop.check(fingerprint),
      await shop.check(fingerprint, { code: `${shop.license.code.slice(0, -1)}U` }),
      await shop.activate(fingerprint, { nonce: 7 }),
      await shop.mine('GET', `/licenses/${shop.licenseId}`),
      await shop.mine('GET', '/licenses'),
      await shop.release(fingerprint),
      await shop.mine('POST', `/licenses/${shop.licenseId}/release`, { fingerprint }),
      await shop.mine('GET', `/extensions/${shop.extensionId}/events`),
    ];
    const source = world.app.get(DataSource);
    const rows: string[] = [];
    for (const { tablePath } of source.entityMetadatas)
      for (const { row } of await source.query<{ row: string }[]>(`select t::text as row from ${tablePath} t`))
        rows.push(row);
    expect(rows.some((row) => row.includes(shop.licenseId))).toBe(true);
    const everything = [...world.log, ...answers.map(({ text }) => text), ...rows].join('\n').toUpperCase();
    const { code } = shop.license;
    const plain = code.replaceAll('-', '');
    for (const secret of [
      code,
      plain,
      fingerprint,
      Buffer.from(plain).toString('hex'),
      Buffer.from(fingerprint).toString('hex'),
    ])
      expect(everything).not.toContain(secret.toUpperCase());
    for (let at = 0; at + 12 <= plain.length; at += 1) expect(everything).not.toContain(plain.slice(at, at + 12));
    expect(everything).not.toContain(Buffer.alloc(32, 7).toString('base64').toUpperCase());
    expect(world.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});
