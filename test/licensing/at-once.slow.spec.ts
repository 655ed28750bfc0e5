import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { Answer } from '../support/api.js';
import { startWorld, type World } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { Shop } from './shop.js';

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const reasons = (answers: readonly Answer[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { body } of answers) counts[body.reason] = (counts[body.reason] ?? 0) + 1;
  return counts;
};

/** A request about a license for three devices. */
type Act =
  | { readonly act: 'activate' | 'check' | 'release' | 'free'; readonly device: number }
  | { readonly act: 'lower'; readonly to: number }
  | { readonly act: 'lowerPlan'; readonly to: number }
  | { readonly act: 'revoke' | 'suspend' | 'reinstate' | 'idle' };

const device = fc.nat(5);
const anyAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ act: fc.constant('activate' as const), device }) },
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constantFrom('check' as const, 'release' as const, 'free' as const), device }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constantFrom('lower' as const, 'lowerPlan' as const),
      to: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constantFrom('suspend' as const, 'reinstate' as const, 'idle' as const, 'revoke' as const),
    }),
  },
);

describe('with simultaneous requests', () => {
  let world: World;
  let other: World;
  beforeAll(async () => {
    world = await startWorld();
    other = await startWorld({ with: world });
  });
  afterAll(async () => {
    await other.close();
    await world.close();
  });

  it.each([1, 5, 100])('200 devices at two processes get exactly the %d seats that were sold', async (max) => {
    const shop = await Shop.open(world, { maxActivations: max });
    const shops = [shop, shop.through(other)];
    const answers = await Promise.all(times(200, (index) => (shops[index % 2] ?? shop).activate(`device ${index}`)));
    expect(reasons(answers)).toEqual({ active: max, seat_limit_reached: 200 - max });
    expect(await shop.used()).toBe(max);
    for (const { body } of answers) expect(body.seats.used).toBeLessThanOrEqual(max);
  });

  it('one device that activates fifty times at two processes gets one seat, and fifty answers that say so', async () => {
    const shop = await Shop.open(world, { maxActivations: 3 });
    const shops = [shop, shop.through(other)];
    const answers = await Promise.all(times(50, (index) => (shops[index % 2] ?? shop).activate('the device')));
    expect(reasons(answers)).toEqual({ active: 50 });
    expect(new Set(answers.map(({ body }) => body.seats.used))).toEqual(new Set([1]));
    expect(await shop.used()).toBe(1);
  });

  it('checks never give out a seat, whatever else happens', async () => {
    const shop = await Shop.open(world, { maxActivations: 5 });
    const one = await shop.seated();
    await Promise.all([
      ...times(30, (index) => shop.through(other).check(`stranger ${index}`)),
      ...times(10, () => shop.check(one)),
      ...times(5, () => shop.release(one)),
    ]);
    expect(await shop.used()).toBe(0);
    expect(reasons(await Promise.all(times(5, () => shop.check(one))))).toEqual({ seat_not_active: 5 });
  });

  it('an idle seat either goes to one newcomer or stays with its device', async () => {
    for (let round = 0; round < 8; round += 1) {
      const shop = await Shop.open(world, { maxActivations: 1 });
      const idle = await shop.seated();
      world.clock.forward(31 * DAY);
      const [check, ...newcomers] = await Promise.all([
        shop.through(other).check(idle),
        ...times(3, (index) => (index % 2 === 0 ? shop : shop.through(other)).activate(`newcomer ${index}`)),
      ]);
      const taken = newcomers.filter(({ body }) => body.success === true).length;
      const settled = await shop.check(idle);
      expect(taken + (settled.body.isActive === true ? 1 : 0)).toBe(1);
      // A check that answered "active" has kept the seat alive, so that nobody can have taken it over since.
      if (check?.body.isActive === true) expect(settled.body.isActive).toBe(true);
      expect(await shop.used()).toBe(1);
    }
  });

  it('no order of activations, releases, suspensions, revocations and lower limits gives out a seat too many', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyAct, { minLength: 2, maxLength: 8 }), { minLength: 1, maxLength: 3 }),
        async (waves) => {
          const shop = await Shop.open(world, { maxActivations: 3 });
          const away = shop.through(other);
          let isRevoked = false;
          for (const [number, wave] of waves.entries()) {
            const [seatedBefore, limitBefore] = await standing(shop);
            const answers = await Promise.all(wave.map((each, index) => carryOut(index % 2 === 0 ? shop : away, each)));
            for (const { status } of answers) expect(status).toBeLessThan(500);
            const [seated, limit] = await standing(shop);
            // A lower limit ends no seat, and the highest limit of a wave may have applied to any activation in it.
            const allowed = Math.max(limitBefore, limit, ...wave.map((each) => ('to' in each ? each.to : 0)));
            expect(seated).toBeLessThanOrEqual(Math.max(seatedBefore, allowed));
            if (isRevoked) expect(seated).toBeLessThanOrEqual(seatedBefore);
            isRevoked ||= wave.some(({ act }) => act === 'revoke');
            // A limit that has been answered holds from then on.
            const late = await Promise.all(
              times(4, (index) => (index % 2 === 0 ? shop : away).activate(`late ${number}.${index}`)),
            );
            const admitted = late.filter(({ body }) => body.success === true).length;
            if (admitted > 0) expect((await standing(shop))[0]).toBeLessThanOrEqual(limit);
            if (isRevoked) expect(reasons(late)).toEqual({ revoked: 4 });
          }
        },
      ),
      { numRuns: 8 },
    );
  });

  const standing = async (shop: Shop): Promise<readonly [number, number]> => {
    const { seats, devices } = (await shop.mine('GET', `/licenses/${shop.licenseId}`)).body;
    expect(devices).toHaveLength(seats.used);
    return [seats.used, seats.max];
  };

  function carryOut(shop: Shop, each: Act): Promise<Answer> {
    const path = `/licenses/${shop.licenseId}`;
    switch (each.act) {
      case 'activate':
      case 'check':
      case 'release':
        return shop[each.act](`device ${each.device}`);
      case 'free':
        return shop.mine('POST', `${path}/release`, { fingerprint: `device ${each.device}` });
      case 'lower':
        return shop.mine('PATCH', path, { maxActivations: each.to });
      case 'lowerPlan':
        return shop.mine('PATCH', `/plans/${shop.license.planId}`, { maxActivations: each.to });
      case 'idle':
        world.clock.forward(31 * DAY);
        return shop.check(randomUUID());
      default:
        return shop.mine('POST', `${path}/${each.act}`);
    }
  }
});
