import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { writeCode } from '../../src/licensing/codes/code.js';
import type { Answer } from '../support/api.js';
import { startWorld, type World, DataSource, SeatCheckBatch, withWorkContext } from '../support/app.js';
import { HOUR, MINUTE } from '../support/clock.js';
import { StatementListener } from '../support/statement-listener.js';
import { Shop } from './shop.js';

/** What a device checks. */
interface Asked {
  readonly code: string;
  readonly extensionId: string;
  readonly fingerprint: string;
}

describe('devices that check together', () => {
  let world: World;
  let all: readonly Asked[];
  let shops: readonly Shop[];
  beforeAll(async () => {
    world = await startWorld();
    const first = await Shop.open(world, { maxActivations: 2 });
    const { extensionId, planId } = first.license;
    const open = (): Promise<Shop> => Shop.open(world, { extensionId, planId }, first.license);
    shops = [first, await open(), await open(), await open(), await Shop.open(world, { maxActivations: 1 })];
    for (const shop of shops) for (const device of ['seated', 'released']) await ignoring(shop.activate(device));
    for (const shop of shops) await shop.release('released');
    const [, revoked, suspended, expired] = shops as [Shop, Shop, Shop, Shop];
    await revoked.mine('POST', `/licenses/${revoked.licenseId}/revoke`);
    await suspended.mine('POST', `/licenses/${suspended.licenseId}/suspend`);
    const expiresAt = new Date(world.clock.now().getTime() + MINUTE).toISOString();
    await expired.mine('PATCH', `/licenses/${expired.licenseId}`, { expiresAt });
    const off = await Shop.open(world);
    await off.activate('seated');
    await off.mine('PATCH', `/extensions/${off.extensionId}`, { licensing: { enabled: false } });
    const codes = [...shops, off].map(({ license }) => license.code);
    const extensions = [extensionId, shops[4]?.extensionId ?? '', off.extensionId, randomUUID(), 'none'];
    all = [...codes, writeCode(randomBytes(15)), 'garbage'].flatMap((code) =>
      extensions.flatMap((each) =>
        ['seated', 'released', 'stranger'].map((fingerprint) => ({ code, extensionId: each, fingerprint })),
      ),
    );
  });
  afterAll(() => world.close());

  const ignoring = async (answer: Promise<Answer>): Promise<void> => void (await answer);
  const check = (asked: Asked): Promise<Answer> => world.api.post('/licensing/check', asked);
  /** An answer without what depends on the time of the request. */
  const answerOf = ({ status, body }: Answer): object => {
    const { lease: _, nextCheckAt: __, instance: ___, requestId: ____, ...rest } = body;
    return { status, ...rest };
  };
  /** When each seat was last seen, and whether it is live. */
  const seats = async (): Promise<object[]> =>
    world.app
      .get(DataSource)
      .query('select id, last_seen_at = $1 as "isSeenNow", ended_at from seat order by id', [world.clock.now()]);

  it('get the same answers and leave the same seats as one after another', async () => {
    const own = all.filter(({ code, extensionId }) =>
      shops.some(({ license }) => license.code === code && license.extensionId === extensionId),
    );
    const one = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...own) },
      { weight: 1, arbitrary: fc.constantFrom(...all) },
    );
    const wave = fc.array(one, { minLength: 1, maxLength: 40 });
    let distinct = new Set<string>();
    await fc.assert(
      fc.asyncProperty(wave, async (asked) => {
        world.clock.forward(2 * HOUR);
        const together = (await Promise.all(asked.map(check))).map(answerOf);
        const leftTogether = await seats();
        world.clock.forward(2 * HOUR);
        const alone: object[] = [];
        for (const each of asked) alone.push(answerOf(await check(each)));
        expect(together).toEqual(alone);
        expect(leftTogether).toEqual(await seats());
        distinct = new Set([...distinct, ...alone.map((answer) => JSON.stringify(answer))]);
      }),
      { numRuns: 12 },
    );
    expect(distinct.size).toBeGreaterThan(6);
  });

  it('share statements, and equal checks share one answer', async () => {
    const checks = world.app.get(SeatCheckBatch);
    const { extensionId } = shops[0] as Shop;
    const strangers = Array.from({ length: 64 }, (_, at) => ({
      extensionId,
      digests: [Buffer.alloc(32, at % 4)],
      device: Buffer.alloc(32),
    }));
    const { answer, said } = await StatementListener.of(world).during(() =>
      withWorkContext({ requestId: 'one' }, () => Promise.all(strangers.map((one) => checks.load(one)))),
    );
    expect(said.length).toBeGreaterThan(0);
    // Two for each batch: a code that no license has is looked for among those of members and devices.
    expect(said.length).toBeLessThanOrEqual(16);
    for (const check of answer)
      expect(check).toMatchObject({ lookup: { license: null, seat: null }, heartbeatWritten: false });
  });

  it('succeed despite one among them that the database cannot read', async () => {
    const checks = world.app.get(SeatCheckBatch);
    const { extensionId } = shops[0] as Shop;
    const good = { extensionId, digests: [Buffer.alloc(32)], device: Buffer.alloc(32) };
    const poisoned = { ...good, extensionId: 'no "uuid\\' };
    const outcomes = await Promise.allSettled(
      [good, poisoned, good, { ...good, device: Buffer.alloc(0) }].map((one) => checks.load(one)),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  });

  it('do not wait for one whose seat another transaction has locked', async () => {
    const [busy, other] = [await Shop.open(world), await Shop.open(world)];
    const [device, neighbour] = [await busy.seated(), await other.seated()];
    world.clock.forward(2 * HOUR);
    const runner = world.app.get(DataSource).createQueryRunner();
    if (!(await isServer(world))) return runner.release();
    await runner.startTransaction();
    await runner.query('select id from seat where license_id = $1 for update', [busy.licenseId]);
    const waiting = busy.check(device);
    const answers = await Promise.all([other.check(neighbour), other.check('stranger')]);
    expect(answers.map(({ body }) => body.reason)).toEqual(['active', 'seat_not_active']);
    await runner.query('update seat set ended_at = $2 where license_id = $1', [busy.licenseId, world.clock.now()]);
    await runner.commitTransaction();
    await runner.release();
    // The answer is what became true while it waited, not what it had read.
    expect((await waiting).body.reason).toBe('seat_not_active');
  });

  /** The embedded database runs one transaction at a time, so that no other transaction can hold a lock there. */
  const isServer = async ({ app }: World): Promise<boolean> => {
    const [row] = await app.get(DataSource).query<{ version: string }[]>('select version()');
    return !/PGlite|emscripten/i.test(row?.version ?? '');
  };

  it('get their answers before the process ends', async () => {
    const ending = await startWorld({ with: world });
    const shop = await Shop.open(world);
    const device = await shop.seated();
    const asked = Array.from({ length: 20 }, () => shop.through(ending).check(device));
    const answers = await Promise.all([...asked, ending.app.get(SeatCheckBatch).beforeApplicationShutdown()]);
    expect(answers.slice(0, 20).every((answer) => (answer as Answer).body.isActive === true)).toBe(true);
    await ending.close();
  });
});
