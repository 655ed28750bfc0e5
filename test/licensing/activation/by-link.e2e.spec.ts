import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  activateByLink,
  createLicensing,
  type Licensing,
  type LicenseState,
  type PinnedKey,
} from '../../../clients/licensing/index.js';
import { startWorld, type World } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { expectStatus } from '../../support/given.js';
import { LocalStorage } from '../local-storage.js';
import { Shop } from '../shop.js';

type Listener = (message: unknown, sender: object, answer: (reason: unknown) => void) => boolean;

const { browser } = globalThis as { browser?: object };

describe('an extension whose content script hands over the code of a link', () => {
  let world: World;
  let shop: Shop;
  let licensing: Licensing;
  let keys: readonly PinnedKey[];
  let storage: LocalStorage;
  let listeners: Listener[];
  let states: LicenseState[];
  let isOnline: boolean;
  beforeAll(async () => {
    world = await startWorld();
  });
  beforeEach(async () => {
    shop = await Shop.open(world, { maxActivations: 1 });
    expectStatus(await shop.mine('PATCH', `/plans/${shop.license.planId}`, { trialDays: 14 }), 200);
    ({ keys } = (await world.api.get(`/licensing/keys/${shop.extensionId}`)).body);
    [storage, listeners, states, isOnline] = [new LocalStorage(), [], [], true];
    const onMessage = { addListener: (listener: Listener) => listeners.push(listener) };
    Object.assign(globalThis, { browser: { runtime: { onMessage } } });
    licensing = createLicensing({
      url: world.url,
      extensionId: shop.extensionId,
      keys,
      storage,
      now: () => world.clock.now().getTime(),
      fetch: (url, init) => (isOnline ? fetch(url, init) : Promise.reject(new TypeError('fetch failed'))),
    });
    activateByLink(licensing, { deviceInfo: 'Laptop', onState: (state) => states.push(state) });
  });
  afterEach(() => {
    Object.assign(globalThis, { browser });
  });
  afterAll(() => world.close());

  /** What the content script is told. */
  const handed = (pierheadCode: string, replaces = false): Promise<unknown> =>
    new Promise((answer, ignored) => {
      if (!listeners.some((listener) => listener({ pierheadCode, replaces }, {}, answer)))
        ignored(new Error('Ignored'));
    });
  const isLicensed = async (): Promise<string | null> => (await licensing.check({ force: true })).tier;
  /** The code of another license of the same extension, for one device. */
  const another = async (): Promise<string> => {
    const { planId } = shop.license;
    return expectStatus(await shop.mine('POST', '/licenses', { planId, buyerEmail: 'bo@buyer.example' }), 201).body
      .code;
  };

  it('activates with it, as often as the link is opened, and however the code was typed before', async () => {
    const { code } = shop.license;
    expect(await handed(code)).toBe('active');
    expect(states).toMatchObject([{ isActive: true, reason: 'active', seats: { used: 1, max: 1 } }]);
    expect(await handed(code)).toBe('active');
    await licensing.activate(code.toLowerCase().replaceAll('-', ' '));
    expect(await handed(code)).toBe('active');
    expect(await shop.used()).toBe(1);
    const { body } = await shop.mine('GET', `/licenses/${shop.licenseId}`);
    expect(body.devices).toMatchObject([{ label: 'Laptop' }]);
  });

  it('ends a trial with it', async () => {
    const { trial } = await import('../../../clients/licensing/index.js');
    expect(await trial(licensing)).toMatchObject({ isActive: true, isTrial: true });
    expect(await handed(shop.license.code)).toBe('active');
    expect(await licensing.check({ force: true })).toMatchObject({ isActive: true, isTrial: false });
  });

  it('keeps a license that is active, until its user wants the other one', async () => {
    await handed(shop.license.code);
    const code = await another();
    states.length = 0;
    expect(await handed(code)).toBe('licensed_already');
    expect(states).toEqual([]);
    await shop.mine('POST', `/licenses/${shop.licenseId}/suspend`);
    await shop.mine('POST', `/licenses/${shop.licenseId}/reinstate`);
    expect(await isLicensed()).not.toBeNull();
    expect(JSON.stringify(storage.items)).toContain(shop.license.code);
    expect(await handed(code, true)).toBe('active');
    expect(JSON.stringify(storage.items)).not.toContain(shop.license.code);
    expect(JSON.stringify(storage.items)).toContain(code);
  });

  it('takes another code once its own does not count, or is being replaced', async () => {
    await handed(shop.license.code);
    const { code } = expectStatus(await shop.mine('POST', `/licenses/${shop.licenseId}/rotate`), 200).body;
    expect(await handed(code)).toBe('active');
    await shop.mine('POST', `/licenses/${shop.licenseId}/revoke`);
    expect(await handed(await another())).toBe('active');
  });

  it.each<[string, () => Promise<unknown>, string]>([
    ['revoked', () => shop.mine('POST', `/licenses/${shop.licenseId}/revoke`), 'revoked'],
    ['suspended', () => shop.mine('POST', `/licenses/${shop.licenseId}/suspend`), 'suspended'],
    ['on another device', () => shop.seated(), 'seat_limit_reached'],
    ['replaced', () => shop.mine('POST', `/licenses/${shop.licenseId}/rotate`), 'code_replaced'],
    [
      'over',
      async () => {
        const expiresAt = new Date(world.clock.now().getTime() + DAY).toISOString();
        await shop.mine('PATCH', `/licenses/${shop.licenseId}`, { expiresAt });
        await world.forward(2 * DAY);
      },
      'expired',
    ],
  ])('is told why not when the license is %s', async (_, happens, reason) => {
    await happens();
    expect(await handed(shop.license.code)).toBe(reason);
    expect(states).toMatchObject([{ isActive: false, reason }]);
  });

  it('is told of a wrong code, and of a service that refuses or is away', async () => {
    expect(await handed('000G4-0R40M-30E20-9185G-R38E2')).toBe('invalid_code');
    expectStatus(await shop.mine('PATCH', `/extensions/${shop.extensionId}`, { licensing: { enabled: false } }), 200);
    expect(await handed(shop.license.code)).toBe('licensing_not_enabled');
    isOnline = false;
    // The content script takes the lack of a reason as `unavailable`.
    expect(await handed(shop.license.code)).toBeUndefined();
  });

  it.each([null, undefined, 'a text', 7, {}, { pierheadCode: '' }, { type: 'mine' }])(
    'leaves the message %j to the extension',
    (message) => {
      const answer = (): never => {
        throw new Error('Answered');
      };
      expect(listeners.map((listener) => listener(message, {}, answer))).toEqual([false]);
    },
  );
});
