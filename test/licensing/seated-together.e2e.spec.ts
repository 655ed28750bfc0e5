import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readCode } from '../../src/licensing/codes/code.js';
import { fingerprintDigest } from '../../src/licensing/seats/devices/fingerprint.js';
import type { SeatClaim } from '../../src/licensing/seats/seat-claims.js';
import type { Answer } from '../support/api.js';
import { startWorld, type World, DataSource, Transactions, CodesService, SeatClaimBatch } from '../support/app.js';
import { Shop } from './shop.js';

const DEVICES = ['one', 'two', 'three', 'four'] as const;
const LIMITS = [1, 2, 3] as const;

describe('devices that activate together', () => {
  let world: World;
  let shops: readonly Shop[];
  beforeAll(async () => {
    world = await startWorld();
    shops = await Promise.all(LIMITS.map((maxActivations) => Shop.open(world, { maxActivations })));
  });
  afterAll(() => world.close());

  const claimOf = ({ license: { code, extensionId }, licenseId }: Shop, device: string, label?: string): SeatClaim => ({
    extensionId,
    licenseId,
    digests: world.app.get(CodesService).possibleDigests(readCode(code) ?? ''),
    device: fingerprintDigest(extensionId, device),
    label: label ?? null,
  });
  const liveSeats = async (licenseId: string): Promise<number> => {
    const text = 'select count(*)::int as live from seat where license_id = $1 and ended_at is null';
    const [row] = await world.app.get(DataSource).query<{ live: number }[]>(text, [licenseId]);
    return row?.live ?? 0;
  };

  it('get the answers of some order of single activations, and no license gets a seat too many', async () => {
    const one = fc.record({ at: fc.nat(LIMITS.length - 1), device: fc.constantFrom(...DEVICES) });
    const answered = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 40 }), async (asked) => {
        await world.app.get(DataSource).query('delete from seat');
        const activations = asked.map(({ at, device }) => (shops[at] as Shop).activate(device));
        const reasons = (await Promise.all(activations)).map(({ body }) => body.reason as string);
        for (const [at, limit] of LIMITS.entries()) {
          const of = asked.map((each, place) => ({ ...each, reason: reasons[place] })).filter((each) => each.at === at);
          const devices = new Set(of.map(({ device }) => device));
          const seated = new Set(of.filter(({ reason }) => reason === 'active').map(({ device }) => device));
          expect(seated.size).toBe(Math.min(limit, devices.size));
          expect(await liveSeats((shops[at] as Shop).licenseId)).toBe(seated.size);
          // No device frees a seat, so a device gets the same answer however often it activates.
          for (const { device, reason } of of)
            expect(reason).toBe(seated.has(device) ? 'active' : 'seat_limit_reached');
        }
        for (const reason of reasons) answered.add(reason);
      }),
      { numRuns: 12 },
    );
    expect([...answered].toSorted()).toEqual(['active', 'seat_limit_reached']);
  });

  it('share transactions', async () => {
    const shop = await Shop.open(world, { maxActivations: 100 });
    const tx = world.app.get(Transactions);
    const [run, query] = [tx.run.bind(tx), tx.query.bind(tx)];
    let [transactions, statements] = [0, 0];
    tx.run = (work) => {
      transactions += 1;
      return run(work);
    };
    tx.query = (...args) => {
      statements += 1;
      return query(...args);
    };
    const claims = world.app.get(SeatClaimBatch);
    const outcomes = await Promise.all(
      Array.from({ length: 64 }, (_, at) => claims.tryClaim(claimOf(shop, `device ${at}`))),
    );
    Object.assign(tx, { run, query });
    expect(transactions).toBeLessThanOrEqual(16);
    // Each transaction locks, reads and writes.
    expect(statements).toBeLessThanOrEqual(3 * transactions);
    const used = outcomes.flatMap((each) => (each?.license ? [each.license.used] : []));
    // A claim whose license another batch had locked gets null, and takes no seat.
    expect(used.length).toBeGreaterThan(0);
    expect(await liveSeats(shop.licenseId)).toBe(used.length);
    expect(new Set(used).size).toBe(used.length);
  });

  it('take one statement and no lock when the device holds a seat already', async () => {
    const shop = await Shop.open(world);
    const device = await shop.seated();
    const tx = world.app.get(Transactions);
    const [query, preparedArrays] = [tx.query.bind(tx), tx.preparedArrays.bind(tx)];
    const asked: string[] = [];
    tx.query = (...args) => {
      asked.push('in a transaction');
      return query(...args);
    };
    tx.preparedArrays = (...args) => {
      asked.push(args[0].name);
      return preparedArrays(...args);
    };
    const { body } = await shop.activate(device);
    Object.assign(tx, { query, preparedArrays });
    expect(body.success).toBe(true);
    expect(asked).toEqual(['load_seats']);
  });

  it('get their seats despite one among them that the database cannot read', async () => {
    const shop = await Shop.open(world, { maxActivations: 5 });
    const poisoned = { ...claimOf(shop, 'good'), extensionId: 'no "uuid\\' };
    const claims = world.app.get(SeatClaimBatch);
    const outcomes = await Promise.allSettled([
      claims.tryClaim(claimOf(shop, 'good', 'a "label" \\ with, {everything}')),
      claims.tryClaim(poisoned),
      claims.tryClaim(claimOf(shop, 'other', 'NULL')),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const text = 'select label from seat where license_id = $1 order by label';
    const labels = await world.app.get(DataSource).query<object[]>(text, [shop.licenseId]);
    expect(labels).toEqual([{ label: 'NULL' }, { label: 'a "label" \\ with, {everything}' }]);
  });

  it('do not wait for one whose license another transaction has locked', async () => {
    const [busy, other] = [await Shop.open(world), await Shop.open(world)];
    const runner = world.app.get(DataSource).createQueryRunner();
    const [row] = (await runner.query('select version()')) as { version: string }[];
    // The embedded database runs one transaction at a time, so that no other transaction can hold a lock there.
    if (/PGlite|emscripten/i.test(row?.version ?? '')) return runner.release();
    await runner.startTransaction();
    await runner.query('select id from license where id = $1 for update', [busy.licenseId]);
    const waiting = busy.activate('device');
    const answers = await Promise.all([other.activate('device'), other.activate('device')]);
    expect(answers.map(({ body }) => body.reason)).toEqual(['active', 'active']);
    await runner.query('update license set revoked_at = $2 where id = $1', [busy.licenseId, world.clock.now()]);
    await runner.commitTransaction();
    await runner.release();
    // The answer is what became true while it waited, not what it had read.
    expect((await waiting).body.reason).toBe('revoked');
  });

  it('get their answers before the process ends', async () => {
    const ending = await startWorld({ with: world });
    const shop = await Shop.open(world, { maxActivations: 20 });
    const asked = Array.from({ length: 20 }, () => shop.through(ending).activate(randomUUID()));
    const answers = await Promise.all([...asked, ending.app.get(SeatClaimBatch).beforeApplicationShutdown()]);
    expect(answers.slice(0, 20).every((answer) => (answer as Answer).body.success === true)).toBe(true);
    expect(await liveSeats(shop.licenseId)).toBe(20);
    await ending.close();
  });
});
