import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { startWorld, type World, DataSource } from '../support/app.js';
import { StatementListener } from '../support/statement-listener.js';
import { onServer, Shop, untilWaiting } from './shop.js';

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

  it('take one statement and no lock when the device holds a seat already', async () => {
    const shop = await Shop.open(world);
    const device = await shop.seated();
    const { answer, said } = await StatementListener.of(world).during(() => shop.activate(device));
    expect(answer.body.success).toBe(true);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain('skip locked');
  });

  it('take a check and a transaction of five statements while the license has room', async () => {
    const shop = await Shop.open(world, { maxActivations: 3 });
    await shop.seated();
    const { answer, said } = await StatementListener.of(world).during(() => shop.activate(randomUUID()));
    expect(answer.body).toMatchObject({ success: true, seats: { used: 2, max: 3 } });
    const [check, ...transaction] = said;
    expect(check).toContain('skip locked');
    expect(transaction.map((text) => (/\w+/.exec(text)?.[0] ?? '').toLowerCase())).toEqual([
      'start',
      'select',
      'select',
      'with',
      'commit',
    ]);
    expect(transaction[1]).toContain('for no key update');
  });

  it('get no seat when another device takes the last one while they wait for the license', async () => {
    if (!onServer) return;
    const shop = await Shop.open(world, { maxActivations: 1 });
    const runner = world.app.get(DataSource).createQueryRunner();
    await runner.startTransaction();
    await runner.query('select id from license where id = $1 for no key update', [shop.licenseId]);
    await runner.query(
      'insert into seat (id, license_id, fingerprint_digest, first_seen_at, last_seen_at) values ($1, $2, $3, $4, $4)',
      [randomUUID(), shop.licenseId, Buffer.alloc(32), world.clock.now()],
    );
    const waiting = shop.activate(randomUUID());
    await untilWaiting(world);
    await runner.commitTransaction();
    await runner.release();
    expect((await waiting).body).toMatchObject({ reason: 'seat_limit_reached', seats: { used: 1, max: 1 } });
  });

  it('do not wait for one whose license another transaction has locked', async () => {
    const [busy, other] = [await Shop.open(world), await Shop.open(world)];
    const runner = world.app.get(DataSource).createQueryRunner();
    if (!onServer) return runner.release();
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
    const shop = await Shop.open(world);
    const runner = world.app.get(DataSource).createQueryRunner();
    if (onServer) {
      await runner.startTransaction();
      await runner.query('select id from license where id = $1 for update', [shop.licenseId]);
    }
    const asked = shop.through(ending).activate(randomUUID());
    if (onServer) await untilWaiting(world);
    else await asked;
    const closed = ending.close();
    if (onServer) await runner.commitTransaction();
    await runner.release();
    expect((await asked).body.success).toBe(true);
    await closed;
    expect(await liveSeats(shop.licenseId)).toBe(1);
  });

  it('may each have any label', async () => {
    const labels = ['a "label" \\ with, {everything}', "'; --", 'NULL'];
    const shop = await Shop.open(world, { maxActivations: labels.length });
    await Promise.all(labels.map((label) => shop.activate(label, { deviceInfo: label })));
    const { devices } = (await shop.mine('GET', `/licenses/${shop.licenseId}`)).body;
    expect(devices.map(({ label }: { label: string }) => label).toSorted()).toEqual(labels.toSorted());
  });
});
