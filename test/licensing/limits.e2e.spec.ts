import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { writeCode } from '../../src/licensing/codes/code.js';
import type { Answer } from '../support/api.js';
import { pg, startWorld, type World } from '../support/app.js';
import { Shop } from './shop.js';

const LIMITS = {
  RATE_LIMITS: 'on',
  TRUST_PROXY: '1',
  RATE_LIMIT_ACTIVATE_PER_ADDRESS: '6',
  RATE_LIMIT_ACTIVATE_PER_CODE: '3',
  RATE_LIMIT_CHECK_PER_ADDRESS: '8',
  RATE_LIMIT_UNKNOWN_CODES_PER_DEVICE: '4',
  RATE_LIMIT_UNKNOWN_CODES_PER_ADDRESS: '6',
};
const newCode = (): string => writeCode(randomBytes(15));
const newAddress = (): string => `10.${[...randomBytes(3)].join('.')}`;

/** Records every statement that this process sends to any database. */
const statements: string[] = [];
// oxlint-disable-next-line typescript/unbound-method -- it is called with the client that it is for
const realQuery = pg.Client.prototype.query;

describe('a client that guesses codes', () => {
  let world: World;
  let limited: World;
  beforeAll(async () => {
    world = await startWorld();
    limited = await startWorld({ with: world, env: LIMITS });
  });
  afterEach(() => {
    pg.Client.prototype.query = realQuery;
  });
  afterAll(async () => {
    await limited.close();
    await world.close();
  });

  const listen = (): void => {
    statements.length = 0;
    pg.Client.prototype.query = function counted(this: InstanceType<typeof pg.Client>, ...args: unknown[]) {
      const [query] = args as [string | { readonly text: string }];
      statements.push(typeof query === 'string' ? query : query.text);
      return (realQuery as (...all: unknown[]) => unknown).apply(this, args);
    } as never;
  };
  const ask = (what: string, shop: Shop, code: string, fingerprint: string, address: string): Promise<Answer> =>
    limited.api.post(
      `/licensing/${what}`,
      { code, extensionId: shop.extensionId, fingerprint },
      { headers: { 'x-forwarded-for': address } },
    );
  /** The statuses of repeated requests. */
  const statuses = async (count: number, once: (time: number) => Promise<Answer>): Promise<number[]> => {
    const seen: number[] = [];
    for (let time = 0; time < count; time += 1) seen.push((await once(time)).status);
    return seen;
  };

  it('causes no query with a code whose check symbols are wrong', async () => {
    const shop = await Shop.open(world);
    await shop.check(await shop.seated());
    listen();
    for (const code of [
      'garbage',
      '00000-00000-00000-00000-00000',
      `${shop.license.code.slice(0, -1)}U`,
      shop.license.code.slice(1),
    ]) {
      expect((await shop.activate('a device', { code })).body.reason).toBe('invalid_code');
      expect((await shop.check('a device', { code })).body.reason).toBe('invalid_code');
      expect((await shop.release('a device', { code })).status).toBe(404);
    }
    expect(statements).toEqual([]);
    await shop.check('a device', { code: newCode() });
    // The second looks among the codes of members and of single devices, the third among codes that were replaced.
    expect(statements).toHaveLength(3);
  });

  it('cannot tell a code of another extension from an unknown one, by body, headers or queries', async () => {
    const [shop, other] = [await Shop.open(world), await Shop.open(world)];
    const device = await other.seated();
    await shop.seated();
    /** An answer without its unique parts, and the statements that it took. */
    const seen = async (what: 'activate' | 'check' | 'release', code: string) => {
      listen();
      const { status, headers, body } = await shop[what](device, { code });
      const { date: _, 'x-request-id': id, ...rest } = Object.fromEntries(headers);
      const [head, claims] = (body.lease ?? '.').split('.');
      const text = JSON.stringify({ ...body, lease: null }).replace(String(id), '');
      return { status, text, head, claims, headers: rest, statements: [...statements] };
    };
    for (const what of ['activate', 'check', 'release'] as const) {
      const foreign = await seen(what, other.license.code);
      expect(await seen(what, newCode())).toEqual(foreign);
      expect(foreign.statements).toHaveLength(what === 'release' ? 2 : 3);
    }
    expect(await other.used()).toBe(1);
  });

  it('is locked out of every route after too many guesses, and other clients are not', async () => {
    const shop = await Shop.open(limited);
    const guesser = newAddress();
    const kinds = [newCode, () => 'garbage', newCode, newCode, () => 'garbage', newCode, newCode];
    const seen = await statuses(7, (time) => ask('check', shop, kinds[time]?.() ?? '', 'd', guesser));
    expect(seen).toEqual([200, 200, 200, 200, 200, 200, 429]);
    for (const what of ['activate', 'check', 'release']) {
      const refused = await ask(what, shop, shop.license.code, 'd', guesser);
      expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(590);
      expect(refused.headers.get('access-control-allow-origin')).toBe('*');
    }
    expect((await ask('activate', shop, shop.license.code, 'd', newAddress())).body.success).toBe(true);
  });

  it('locks out no neighbour behind the same address', async () => {
    const shop = await Shop.open(limited, { maxActivations: 3 });
    const [office, seated] = [newAddress(), 'a seated device'];
    await ask('activate', shop, shop.license.code, seated, newAddress());
    for (let time = 0; time < 4; time += 1) await ask('check', shop, newCode(), 'a guesser', office);
    expect((await ask('check', shop, newCode(), 'a guesser', office)).status).toBe(429);
    expect((await ask('check', shop, shop.license.code, seated, office)).body).toMatchObject({ isActive: true });
    expect((await ask('activate', shop, shop.license.code, 'a buyer', office)).body).toMatchObject({ success: true });
  });

  it('that invents devices is locked out with its address, but for devices that hold a seat', async () => {
    const shop = await Shop.open(limited, { maxActivations: 3 });
    const [office, seated] = [newAddress(), 'a seated device'];
    await ask('activate', shop, shop.license.code, seated, newAddress());
    const guesses = await statuses(7, () => ask('check', shop, newCode(), randomUUID(), office));
    expect(guesses).toEqual([200, 200, 200, 200, 200, 200, 429]);
    const blocked = { status: 429, body: { code: 'rate_limited' } };
    // Whether a code is right is not told any more.
    for (const what of ['activate', 'release'])
      expect(await ask(what, shop, shop.license.code, 'a new device', office)).toMatchObject(blocked);
    for (const what of ['activate', 'release'])
      expect((await ask(what, shop, shop.license.code, seated, office)).status).toBe(200);
  });

  it('lets sixty buyers behind one address activate within a minute, and 150 devices check', async () => {
    const usual = await startWorld({ with: world, env: { RATE_LIMITS: 'on', TRUST_PROXY: '1' } });
    try {
      const office = { headers: { 'x-forwarded-for': newAddress() } };
      const shop = await Shop.open(usual);
      const { extensionId, license } = shop;
      const answers: Answer[] = [];
      for (let buyer = 0; buyer < 60; buyer += 1) {
        const other = await Shop.open(world, { extensionId, planId: license.planId }, license);
        const body = { code: other.license.code, extensionId, fingerprint: `device ${buyer}` };
        answers.push(await usual.api.post('/licensing/activate', body, office));
        for (let times = 0; times < 3; times += 1) answers.push(await usual.api.post('/licensing/check', body, office));
      }
      expect(answers.filter(({ status, body }) => status !== 200 || body.isActive !== true)).toEqual([]);
    } finally {
      await usual.close();
    }
  });

  it('gets no more answers at once than one after another', async () => {
    const shop = await Shop.open(limited);
    const guesser = newAddress();
    const answers = await Promise.all(Array.from({ length: 7 }, () => ask('release', shop, newCode(), 'd', guesser)));
    expect(answers.filter(({ status }) => status === 404).length).toBeLessThanOrEqual(4);
  });

  it('is not a client that has a code and checks often', async () => {
    const shop = await Shop.open(limited);
    const address = newAddress();
    await ask('activate', shop, shop.license.code, 'd', address);
    const seen = await statuses(9, () => ask('check', shop, shop.license.code, 'd', address));
    expect(seen).toEqual([...Array<number>(8).fill(200), 429]);
  });

  it('one code can be activated only so often in a minute, from any addresses', async () => {
    const shop = await Shop.open(limited);
    const activations = await statuses(4, () =>
      ask('activate', shop, shop.license.code.toLowerCase(), randomUUID(), newAddress()),
    );
    expect(activations).toEqual([200, 200, 200, 429]);
    const other = await Shop.open(
      limited,
      { extensionId: shop.extensionId, planId: shop.license.planId },
      shop.license,
    );
    expect((await ask('activate', other, other.license.code, 'd', newAddress())).status).toBe(200);
  });

  it('one address can activate only so often in a minute, with any codes', async () => {
    const shops: Shop[] = [];
    for (let count = 0; count < 7; count += 1) shops.push(await Shop.open(limited));
    const network = `2001:db8:${randomBytes(2).toString('hex')}:1`;
    const seen = await statuses(7, (time) => {
      const shop = shops[time] as Shop;
      return ask('activate', shop, shop.license.code, 'd', `${network}::${time + 1}`);
    });
    expect(seen).toEqual([200, 200, 200, 200, 200, 200, 429]);
  });
});
