import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { builtinPresets, createUnimport } from 'unimport';
import {
  createLicensing,
  isWellFormed,
  LicensingError,
  type Licensing,
  type LicensingOptions,
  type PinnedKey,
} from '../../clients/licensing/index.js';
import { readCode, writeCode } from '../../src/licensing/codes/code.js';
import { startWorld, type World } from '../support/app.js';
import { DAY, HOUR, MINUTE } from '../support/clock.js';
import { PASTED, WRONGLY_PASTED } from '../support/pasted-codes.js';
import { LocalStorage } from './local-storage.js';
import { Shop } from './shop.js';

const CLIENT = new URL('../../clients/licensing/index.js', import.meta.url);

describe('the client in an extension', () => {
  let world: World;
  let shop: Shop;
  let keys: readonly PinnedKey[];
  let storage: LocalStorage;
  let asked: string[];
  /** How the network handles a request; when absent, the server answers. */
  let network: ((real: () => Promise<Response>, url: string) => Promise<Response>) | null;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    shop = await Shop.open(world, { maxActivations: 2 });
    keys = (await world.api.get(`/licensing/keys/${shop.extensionId}`)).body.keys;
    storage = new LocalStorage();
    asked = [];
    network = null;
  });

  const client = (options: Partial<LicensingOptions> = {}): Licensing =>
    createLicensing({
      url: `${world.url}/`,
      extensionId: shop.extensionId,
      keys,
      storage,
      version: '1.0.0',
      now: () => world.clock.now().getTime(),
      fetch: (url, init) => {
        asked.push(url.replace(`${world.url}/api/v1/`, ''));
        const real = () => fetch(url, init);
        return network === null ? real() : network(real, url);
      },
      ...options,
    });
  const offline = (): void => {
    network = () => Promise.reject(new TypeError('fetch failed'));
  };
  const activated = async (): Promise<Licensing> => {
    const licensing = client();
    expect(await licensing.activate(shop.license.code, 'Browser')).toMatchObject({ isActive: true });
    asked.length = 0;
    return licensing;
  };

  it('has no name that WXT or another framework imports by itself', async () => {
    // This one is read from the package that it stands for.
    const { '@vueuse/core': _, ...frameworks } = builtinPresets;
    const wxt = { from: 'wxt', imports: ['storage', 'browser', 'i18n', 'defineConfig', 'fakeBrowser'] };
    const source = readFileSync(CLIENT, 'utf8');
    for (const preset of [wxt, ...Object.values(frameworks)])
      expect(await createUnimport({ presets: [preset] }).injectImports(source)).toMatchObject({ imports: [] });
  });

  it('does not count a maintained license for a version that was released after its end, offline too', async () => {
    const end = new Date(world.clock.now().getTime() + 2 * DAY).toISOString();
    await shop.mine('PATCH', `/plans/${shop.license.planId}`, { onEnd: 'maintain' });
    const { body } = await shop.mine('POST', '/licenses', {
      planId: shop.license.planId,
      buyerEmail: 'ann@example.com',
      expiresAt: end,
    });
    const before = client({ released: '2020-01-31' });
    expect(await before.activate(body.code)).toMatchObject({ isActive: true, expiresAt: null });
    await world.forward(3 * DAY);
    const after = client({ released: world.clock.now().toISOString() });
    const over = { isActive: false, reason: 'updates_over', entitlements: [] };
    expect(Date.parse((await before.check()).updatesUntil ?? '')).toBe(Math.floor(Date.parse(end) / 1000) * 1000);
    expect(await after.check()).toMatchObject(over);
    expect(await client().check()).toMatchObject({ isActive: true });
    offline();
    expect(await before.check({ force: true })).toMatchObject({ isActive: true, isOffline: true });
    expect(await after.check({ force: true })).toMatchObject({ ...over, isOffline: true });
    network = null;
    const another = client({ released: world.clock.now().toISOString(), storage: new LocalStorage() });
    expect(await another.activate(body.code)).toMatchObject(over);
    expect(await another.check({ force: true })).toMatchObject(over);
  });

  it('says that its license is in its days of grace', async () => {
    await shop.mine('PATCH', `/plans/${shop.license.planId}`, { graceDays: 3 });
    const end = new Date(world.clock.now().getTime() + DAY).toISOString();
    const wanted = { planId: shop.license.planId, buyerEmail: 'ann@example.com', expiresAt: end };
    const { code } = (await shop.mine('POST', '/licenses', wanted)).body;
    const licensing = client();
    expect(await licensing.activate(code)).toMatchObject({ isActive: true, inGraceSince: null });
    await world.forward(DAY);
    expect(await licensing.check({ force: true })).toMatchObject({ isActive: true, inGraceSince: end });
    offline();
    expect(await licensing.check({ force: true })).toMatchObject({ isActive: true, inGraceSince: end });
    await world.forward(3 * DAY);
    expect(await licensing.check({ force: true })).toMatchObject({ isActive: false, reason: 'lease_over' });
  });

  it('knows the features of its license, offline too, until it is licensed no more', async () => {
    const features = (entitlements: readonly string[]) =>
      shop.mine('PATCH', `/plans/${shop.license.planId}`, { entitlements });
    await features(['export']);
    const licensing = await activated();
    expect((await licensing.check()).entitlements).toEqual(['export']);
    await features(['export', 'sync']);
    await licensing.check({ force: true });
    offline();
    expect([await licensing.has('sync'), await licensing.has('export'), await licensing.has('other')]).toEqual([
      true,
      true,
      false,
    ]);
    await shop.mine('POST', `/licenses/${shop.licenseId}/revoke`);
    network = null;
    await licensing.check({ force: true });
    expect(await licensing.has('sync')).toBe(false);
    expect(await client({ storage: new LocalStorage() }).has('sync')).toBe(false);
  });

  it('asks a server that does not answer twice a minute at most, however often the extension wants to know', async () => {
    const licensing = await activated();
    const often = async (): Promise<number> => {
      asked.length = 0;
      for (let call = 0; call < 20; call += 1) await (call % 2 === 0 ? licensing.check() : licensing.has('sync'));
      return asked.length;
    };
    offline();
    await world.forward(2 * DAY);
    expect([await often(), await often()]).toEqual([1, 0]);
    expect(await licensing.check()).toMatchObject({ isActive: true, isOffline: true });
    await world.forward(MINUTE / 2);
    expect(await often()).toBe(1);
    network = null;
    await world.forward(MINUTE / 2);
    expect(await often()).toBe(1);
    await shop.mine('POST', `/licenses/${shop.licenseId}/suspend`);
    expect(await licensing.check({ force: true })).toMatchObject({ reason: 'suspended' });
    asked.length = 0;
    for (let call = 0; call < 20; call += 1) expect(await licensing.has('sync')).toBe(false);
    expect(asked).toEqual([]);
    // Who opens the extension after paying wants to know at once.
    await shop.mine('POST', `/licenses/${shop.licenseId}/reinstate`);
    expect(await licensing.check()).toMatchObject({ isActive: true, reason: 'active' });
  });

  it('recognizes a mistyped code as the server does, and does not send it', async () => {
    for (let time = 0; time < 50; time += 1) {
      const code = writeCode(randomBytes(15));
      for (const typed of [
        code,
        code.toLowerCase().replaceAll('-', ' '),
        `${code.slice(0, -1)}0`,
        code.slice(1),
        code.replace(/.$/, 'U'),
        ...[...PASTED, ...WRONGLY_PASTED].map(([, paste]) => paste(code)),
      ])
        expect(await isWellFormed(typed)).toBe(readCode(typed) !== null);
    }
    expect(await client().activate('ABCDE')).toMatchObject({ isActive: false, reason: 'invalid_code' });
    expect(asked).toEqual([]);
  });

  it('activates, reports its license, and is listed for the seller', async () => {
    const state = await client().activate(` ${shop.license.code.toLowerCase()} `, { label: 'Browser' });
    expect(state).toEqual({
      isActive: true,
      isOffline: false,
      reason: 'active',
      tier: expect.stringMatching(/^tier /),
      entitlements: [],
      seats: { used: 1, max: 2 },
      expiresAt: null,
      updatesUntil: null,
      renews: false,
      renewsAt: null,
      inGraceSince: null,
      codeValidUntil: null,
      isTrial: false,
      trialEndsAt: null,
    });
    const { devices } = (await shop.mine('GET', `/licenses/${shop.licenseId}`)).body;
    expect(devices).toMatchObject([{ label: 'Browser' }]);
  });

  it('takes one seat for any number of windows, before and after a restart', async () => {
    const one = client();
    await Promise.all(Array.from({ length: 5 }, () => one.activate(shop.license.code)));
    await client().activate(shop.license.code);
    expect(await shop.used()).toBe(1);
  });

  it('is inactive without a code, and does not keep a refused code', async () => {
    const licensing = client();
    expect(await licensing.check()).toMatchObject({ isActive: false, reason: 'no_code' });
    await shop.seated();
    await shop.seated();
    expect(await licensing.activate(shop.license.code)).toMatchObject({
      isActive: false,
      reason: 'seat_limit_reached',
      seats: { used: 2, max: 2 },
    });
    expect(await licensing.check()).toMatchObject({ reason: 'no_code' });
  });

  it('checks about once a day, or when asked to', async () => {
    const licensing = await activated();
    for (let time = 0; time < 3; time += 1)
      expect(await licensing.check()).toMatchObject({ isActive: true, isOffline: false });
    expect(asked).toEqual([]);
    await licensing.check({ force: true });
    expect(asked).toEqual(['licensing/check']);
    world.clock.forward(29 * HOUR);
    expect(await licensing.check()).toMatchObject({ isActive: true, isOffline: false });
    expect(asked).toHaveLength(2);
  });

  it('stays active without the server until its lease expires, and is active again once the server is back', async () => {
    const licensing = await activated();
    offline();
    world.clock.forward(7 * DAY - MINUTE);
    expect(await licensing.check()).toMatchObject({ isActive: true, isOffline: true, reason: 'active' });
    world.clock.forward(MINUTE);
    expect(await licensing.check()).toMatchObject({ isActive: false, reason: 'lease_over' });
    network = (real) => real().then(() => new Response('<h1>502</h1>', { status: 502 }));
    expect(await licensing.check()).toMatchObject({ isActive: false, reason: 'lease_over' });
    network = null;
    expect(await licensing.check()).toMatchObject({ isActive: true, isOffline: false });
  });

  it('learns that it is no longer licensed, and remembers it without the server', async () => {
    const licensing = await activated();
    await shop.mine('POST', `/licenses/${shop.licenseId}/suspend`);
    expect(await licensing.check({ force: true })).toMatchObject({
      isActive: false,
      isOffline: false,
      reason: 'suspended',
    });
    offline();
    expect(await licensing.check()).toMatchObject({ isActive: false, isOffline: true, reason: 'suspended' });
    network = null;
    await shop.mine('POST', `/licenses/${shop.licenseId}/reinstate`);
    expect(await licensing.check()).toMatchObject({ isActive: true, reason: 'active' });
  });

  it('is inactive while the clock is set back, and active again once it is right', async () => {
    const licensing = await activated();
    offline();
    world.clock.forward(6 * DAY);
    expect(await licensing.check()).toMatchObject({ isActive: true });
    world.clock.forward(-4 * MINUTE);
    expect(await licensing.check()).toMatchObject({ isActive: true });
    world.clock.forward(-5 * DAY);
    expect(await licensing.check()).toMatchObject({ isActive: false, reason: 'clock_set_back' });
    world.clock.forward(5 * DAY);
    expect(await licensing.check()).toMatchObject({ isActive: true });
    // The server's time corrects a clock that ran ahead.
    world.clock.forward(-5 * DAY);
    network = null;
    expect(await licensing.check({ force: true })).toMatchObject({ isActive: true, isOffline: false });
    offline();
    expect(await licensing.check({ force: true })).toMatchObject({ isActive: true, isOffline: true });
  });

  describe('does not trust', () => {
    const lie = (change: (answer: Record<string, unknown>) => object): void => {
      network = async (real) => Response.json(change((await (await real()).json()) as Record<string, unknown>));
    };

    it('a server that only answers yes', async () => {
      const licensing = await activated();
      await shop.mine('POST', `/licenses/${shop.licenseId}/revoke`);
      lie((answer) => ({ ...answer, isActive: true, reason: 'active' }));
      expect(await licensing.check({ force: true })).toMatchObject({ isActive: false, reason: 'revoked' });
    });

    it('an old answer to a new request', async () => {
      const licensing = await activated();
      let old: Record<string, unknown> = {};
      lie((answer) => (old = answer));
      await licensing.check({ force: true });
      await shop.mine('POST', `/licenses/${shop.licenseId}/revoke`);
      world.clock.forward(8 * DAY);
      lie(() => old);
      expect(await licensing.check()).toMatchObject({ isActive: false, reason: 'lease_over' });
      await expect(licensing.activate(shop.license.code)).rejects.toMatchObject({
        name: 'LicensingError',
        code: 'untrusted',
      });
    });

    it('a key that was not pinned', async () => {
      const other = await Shop.open(world);
      const theirs = (await world.api.get(`/licensing/keys/${other.extensionId}`)).body.keys as PinnedKey[];
      const [mine] = keys;
      for (const pinned of [theirs, [{ kid: mine?.kid ?? '', x: theirs[0]?.x ?? '' }]])
        await expect(client({ keys: pinned }).activate(shop.license.code)).rejects.toMatchObject({ code: 'untrusted' });
      expect(() => client({ keys: [] })).toThrow(TypeError);
    });

    it('a lease of another device, or an altered lease, in its storage', async () => {
      const licensing = await activated();
      offline();
      const name = `pierhead:${shop.extensionId}:license`;
      const kept = storage.items[name] as { lease: string };
      const [head = '', body = '', signature = ''] = kept.lease.split('.');
      const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
      const longer = Buffer.from(JSON.stringify({ ...claims, exp: 9_999_999_999 })).toString('base64url');
      const none = Buffer.from('{"alg":"none"}').toString('base64url');
      for (const lease of [`${head}.${longer}.${signature}`, `${none}.${longer}.`, `${head}.${body}`, '', 'x.y.z', 7]) {
        storage.items[name] = { ...kept, lease };
        expect(await licensing.check()).toMatchObject({ isActive: false, reason: 'untrusted' });
      }
      storage.items[name] = kept;
      expect(await licensing.check()).toMatchObject({ isActive: true });
      storage.items[`pierhead:${shop.extensionId}:device`] = 'another device';
      expect(await licensing.check()).toMatchObject({ isActive: false, reason: 'untrusted' });
    });
  });

  it('stays active through a rotation of keys, because it pinned the next key', async () => {
    const licensing = await activated();
    await shop.mine('POST', `/extensions/${shop.extensionId}/lease-keys/rotate`);
    expect(await licensing.check({ force: true })).toMatchObject({ isActive: true, isOffline: false });
    expect(asked).toEqual(['licensing/check']);
  });

  it('frees its seat for another device, also when the seat is free already', async () => {
    const licensing = await activated();
    offline();
    await expect(licensing.release()).rejects.toThrow('fetch failed');
    network = null;
    expect(await licensing.check()).toMatchObject({ isActive: true });
    await licensing.release();
    expect(await shop.used()).toBe(0);
    expect(await licensing.check()).toMatchObject({ isActive: false, reason: 'no_code' });
    await licensing.release();
    await licensing.activate(shop.license.code);
    await shop.mine('POST', `/licenses/${shop.licenseId}/revoke`);
    await shop.mine('DELETE', `/licenses/${shop.licenseId}`);
    await licensing.release();
    expect(await licensing.check()).toMatchObject({ reason: 'no_code' });
  });

  it('reports why the server refused', async () => {
    await shop.mine('PATCH', `/extensions/${shop.extensionId}`, { licensing: { enabled: false } });
    const refused: unknown = await client()
      .activate(shop.license.code)
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(LicensingError);
    expect(refused).toMatchObject({
      code: 'licensing_not_enabled',
      status: 403,
      message: expect.stringContaining('licensing turned off'),
    });
    network = () =>
      Promise.resolve(
        Response.json({ code: 'rate_limited', detail: 'Wait.' }, { status: 429, headers: { 'retry-after': '7' } }),
      );
    await expect(client().activate(shop.license.code)).rejects.toMatchObject({ status: 429, retryAfterSeconds: 7 });
  });

  it('pings once a day with four fields, the store where it is known, and the license state that it is given, and never fails', async () => {
    const licensing = await activated();
    const sent: unknown[] = [];
    const pinging = client({
      fetch: (_, init) => {
        sent.push(JSON.parse(init.body as string));
        return Promise.resolve(new Response(null, { status: 202 }));
      },
    });
    expect([await pinging.ping(), await pinging.ping()]).toEqual([true, false]);
    world.clock.forward(DAY);
    expect(await pinging.ping({ licensed: true })).toBe(true);
    const ping = { installId: expect.any(String), extensionId: shop.extensionId, version: '1.0.0' };
    expect(sent).toMatchObject([ping, { ...ping, licensed: true }]);
    expect(sent[0]).not.toHaveProperty('licensed');
    expect(JSON.stringify(sent)).not.toContain(storage.items[`pierhead:${shop.extensionId}:device`]);
    world.clock.forward(DAY);
    offline();
    expect(await licensing.ping()).toBe(false);
  });

  it.each([
    ['chrome', 'chrome-extension://abc/', { update_url: 'https://clients2.google.com/service/update2/crx' }],
    ['edge', 'chrome-extension://abc/', { update_url: 'https://edge.microsoft.com/extensionwebstorebase/v1/crx' }],
    ['other', 'chrome-extension://abc/', { update_url: 'https://clients2.google.com.example/crx' }],
    [undefined, 'chrome-extension://abc/', {}],
    ['firefox', 'moz-extension://abc/', {}],
    // As Firefox reports a manifest that has only an id.
    [
      'firefox',
      'moz-extension://abc/',
      {
        update_url: null,
        browser_specific_settings: { gecko: { id: 'a@b.example', update_url: null, strict_min_version: null } },
      },
    ],
    ['other', 'moz-extension://abc/', { browser_specific_settings: { gecko: { update_url: 'https://me.example' } } }],
    ['safari', 'safari-web-extension://abc/', {}],
  ])('pings name the store %s from what it wrote into the extension: %s %j', async (store, url, manifest) => {
    const browser = { runtime: { getManifest: () => ({ version: '1.0.0', ...manifest }), getURL: () => url } };
    Object.assign(globalThis, { browser });
    try {
      const sent: unknown[] = [];
      const pinging = client({
        fetch: (_, init) => {
          sent.push(JSON.parse(init.body as string).store);
          return Promise.resolve(new Response(null, { status: 202 }));
        },
      });
      await pinging.ping();
      expect(sent).toEqual([store]);
    } finally {
      Object.assign(globalThis, { browser: undefined });
    }
  });
});
