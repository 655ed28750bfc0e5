import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as client from '../../../clients/licensing/index.js';
import { createLicensing, type Licensing, type PinnedKey } from '../../../clients/licensing/index.js';
import { Browser, formOf } from '../buyer/buyer.js';
import { MailDeliveryWorker, RestoresService, type World } from '../../support/app.js';
import { DAY, MINUTE } from '../../support/clock.js';
import { expectStatus } from '../../support/given.js';
import { startMailingWorld } from '../../support/mailing-world.js';
import { fullRefund, oneOffSale, type Sale } from '../../support/purchases.js';
import { partOf, type SmtpServer } from '../../support/smtp-server.js';
import { Seller } from '../../webhooks/seller.js';
import { CHECKOUTS } from './checkout-addresses.js';
import { carried } from './checkouts.js';

/** What one installed extension keeps. */
class Storage {
  readonly items = new Map<string, unknown>();
  get = (key: string): Promise<Record<string, unknown>> =>
    Promise.resolve(this.items.has(key) ? { [key]: structuredClone(this.items.get(key)) } : {});
  set = (items: Record<string, unknown>): Promise<void> => {
    for (const [key, value] of Object.entries(items)) this.items.set(key, structuredClone(value));
    return Promise.resolve();
  };
  remove = (key: string): Promise<void> => Promise.resolve(void this.items.delete(key));
}

describe('an extension that sells with the client', () => {
  let world: World;
  let smtp: SmtpServer;
  let seller: Seller;
  let keys: readonly PinnedKey[];
  let sale: Sale;
  beforeAll(async () => {
    ({ world, smtp } = await startMailingWorld());
  });
  beforeEach(async () => {
    seller = await Seller.in(world, 'stripe');
    const api = world.api.as(seller.tenant);
    expectStatus(await api.patch(`/plans/${seller.planId}`, { maxActivations: 1 }), 200);
    const checkouts = [{ processor: 'stripe', productId: 'plink_1', checkoutUrl: CHECKOUTS.stripe.url }];
    expectStatus(await api.call('PUT', `/plans/${seller.planId}/products`, checkouts), 200);
    ({ keys } = (await world.api.get(`/licensing/keys/${seller.extensionId}`)).body);
    sale = seller.sale();
  });
  afterAll(async () => {
    // An extension that is removed stops asking, and this file ends no earlier than the last one asks.
    for (const { items } of storages) items.clear();
    await Promise.allSettled(waiting);
    await world.close();
  });

  const storages: Storage[] = [];
  const waiting: Promise<unknown>[] = [];
  const followed = <Begun extends { readonly state: Promise<unknown> }>(begun: Begun): Begun => {
    waiting.push(begun.state);
    return begun;
  };
  const buy = async (...wish: Parameters<typeof client.buy>) => followed(await client.buy(...wish));
  const restore = async (...wish: Parameters<typeof client.restore>) => followed(await client.restore(...wish));

  const installed = (storage = new Storage(), through: typeof fetch = fetch, pinned = keys): Licensing => {
    storages.push(storage);
    return createLicensing({
      url: world.url,
      extensionId: seller.extensionId,
      keys: pinned,
      storage,
      fetch: through,
      now: () => world.clock.now().getTime(),
    });
  };
  const tier = async (): Promise<string> =>
    (await world.api.as(seller.tenant).get(`/plans/${seller.planId}`)).body.tier;
  const pay = (url: string): Promise<unknown> =>
    seller.sendAll(oneOffSale('stripe', sale).map((one) => carried('stripe', one, url)));
  const reasonOf = async (licensing: Licensing): Promise<string> => (await licensing.check({ force: true })).reason;
  const allow = async (number: string): Promise<Browser> => {
    await world.app.get(RestoresService).whenIdle();
    await world.app.get(MailDeliveryWorker).tick();
    const mail = smtp.to(sale.email ?? '').findLast((one) => partOf(one, 'text/plain').includes(`number ${number} `));
    const [path = ''] =
      /\/buyer\/restore\?token=[\w-]+/.exec(mail === undefined ? '' : partOf(mail, 'text/plain')) ?? [];
    const browser = new Browser(world, smtp);
    await browser.send(formOf(await browser.get(path), 'restore'));
    return browser;
  };

  it('is unlocked by the purchase, by itself', async () => {
    const licensing = installed();
    const opened: string[] = [];
    const { url, state } = await buy(licensing, { tier: await tier(), open: (address) => opened.push(address) });
    expect(opened).toEqual([url]);
    expect(await licensing.check()).toMatchObject({ isActive: false, reason: 'waiting' });
    await pay(url);
    expect(await state).toMatchObject({ isActive: true, reason: 'active', tier: await tier() });
    expect(await reasonOf(licensing)).toBe('active');
    await seller.sendAll(fullRefund('stripe', sale));
    expect(await reasonOf(licensing)).toBe('revoked');
  });

  it('goes on where a service worker was put to sleep, also when what it kept is all that is left', async () => {
    const storage = new Storage();
    const { url } = await buy(installed(storage), { tier: await tier(), open: () => undefined });
    expect(await reasonOf(installed(storage))).toBe('waiting');
    await pay(url);
    await world.forward(2000);
    const later = installed(storage);
    const [one, other] = await Promise.all([later.check(), installed(storage).check()]);
    expect([one.reason, other.reason]).toContain('active');
    expect(await reasonOf(installed(storage))).toBe('active');
    expect([...storage.items.keys()].join()).not.toContain('awaited');
  });

  it('is unlocked although the answer with its code was lost, as when a popup is closed', async () => {
    const storage = new Storage();
    const { url } = await buy(installed(storage), { tier: await tier(), open: () => undefined });
    await pay(url);
    const lost = installed(storage, async (...asked) => {
      await fetch(...asked);
      throw new TypeError('Lost');
    });
    expect(await reasonOf(lost)).toBe('waiting');
    expect(await reasonOf(installed(storage))).toBe('active');
  });

  it('says that an extension with other keys built in cannot be unlocked, and unlocks it once it has the right ones', async () => {
    const storage = new Storage();
    const wrong = installed(storage, fetch, [{ kid: 'other', x: keys[0]?.x ?? '' }]);
    const { url } = await buy(wrong, { tier: await tier(), open: () => undefined });
    await pay(url);
    expect(await reasonOf(wrong)).toBe('untrusted');
    expect(await reasonOf(installed(storage))).toBe('active');
  });

  it('is unlocked by the first of two checkouts that were opened', async () => {
    const licensing = installed();
    const { url } = await buy(licensing, { tier: await tier(), open: () => undefined });
    await buy(licensing, { tier: await tier(), open: () => undefined });
    await pay(url);
    expect(await reasonOf(licensing)).toBe('active');
  });

  it('asks less often the longer it waits, however often the extension checks', async () => {
    let asked = 0;
    const licensing = installed(new Storage(), (...request) => {
      asked += 1;
      return fetch(...request);
    });
    await buy(licensing, { tier: await tier(), open: () => undefined });
    const checks = async (): Promise<number> => {
      const before = asked;
      for (let check = 0; check < 20; check += 1) await licensing.has('sync');
      return asked - before;
    };
    expect([await checks(), await checks()]).toEqual([1, 0]);
    await world.forward(2000);
    expect(await checks()).toBe(1);
    await world.forward(2 * MINUTE);
    expect(await checks()).toBe(1);
    await world.forward(10_000);
    expect(await checks()).toBe(0);
  });

  it('waits for a purchase no longer than a day', async () => {
    const licensing = installed();
    await buy(licensing, { tier: await tier(), open: () => undefined });
    await world.forward(DAY);
    expect(await reasonOf(licensing)).toBe('no_code');
  });

  it('says why it cannot sell, and opens nothing then', async () => {
    const open = (): void => {
      throw new Error('Opened');
    };
    await expect(buy(installed(), { tier: 'max', open })).rejects.toMatchObject({ code: 'checkout_not_offered' });
    await expect(buy(installed(), { tier: await tier(), processor: 'polar', open })).rejects.toMatchObject({
      status: 404,
    });
  });

  it('moves to another device by an address alone, as soon as a seat is free', async () => {
    const [first, second] = [installed(), installed()];
    const { url } = await buy(first, { tier: await tier(), open: () => undefined });
    await pay(url);
    expect(await reasonOf(first)).toBe('active');
    const { number } = await restore(second, { email: (sale.email ?? '').toUpperCase() });
    expect(await reasonOf(second)).toBe('waiting');
    const browser = await allow(number);
    expect(await reasonOf(second)).toBe('seat_limit_reached');
    await browser.send(formOf(await browser.get('/buyer/licenses'), 'release'));
    expect(await reasonOf(second)).toBe('active');
    expect(await reasonOf(first)).toBe('seat_not_active');
    await second.release();
    expect(await reasonOf(second)).toBe('no_code');
  });
});
