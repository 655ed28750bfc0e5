import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { decideActivation, type SeatFacts } from '../../src/licensing/seats/activation-rule.js';
import type { OnEnd } from '../../src/licensing/plans/pure.js';
import { fingerprintDigest } from '../../src/licensing/seats/devices/fingerprint.js';
import { startWorld, type World, DataSource } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { Shop } from './shop.js';

/** A license and its seats when a device activates; times in days from now. */
interface Situation {
  readonly isRevoked: boolean;
  readonly suspendedFor: readonly ('tenant' | 'payment')[];
  readonly expiresIn: number | null;
  readonly graceDays: number;
  readonly onEnd: OnEnd;
  readonly renewalLeewayHours: number | null;
  readonly maxActivations: number;
  readonly seatIdleDays: number | null;
  /** The seat of the device that activates. */
  readonly own: { readonly idle: number; readonly isEnded: boolean } | null;
  readonly others: readonly { readonly idle: number; readonly isEnded: boolean }[];
}

const seat = fc.record({ idle: fc.integer({ min: 0, max: 60 }), isEnded: fc.boolean() });
const rare = <T>(usual: T, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });
const situation: fc.Arbitrary<Situation> = fc.record({
  isRevoked: rare(false, fc.constant(true)),
  suspendedFor: rare<Situation['suspendedFor']>([], fc.constantFrom(['tenant'], ['payment'], ['tenant', 'payment'])),
  expiresIn: fc.constantFrom(null, null, -1, 0, 1),
  graceDays: fc.constantFrom(0, 0, 1, 2),
  onEnd: rare<OnEnd>('expire', fc.constant('maintain')),
  renewalLeewayHours: fc.constantFrom(null, null, 0, 24, 36),
  maxActivations: fc.integer({ min: 1, max: 4 }),
  seatIdleDays: fc.constantFrom(null, 7, 30),
  own: fc.option(seat),
  // Either of two seats that are equally idle may end.
  others: fc.uniqueArray(seat, { selector: ({ idle }) => idle, maxLength: 6 }),
});

describe('an activation', () => {
  let world: World;
  let shop: Shop;
  beforeAll(async () => {
    world = await startWorld();
    shop = await Shop.open(world);
  });
  afterAll(() => world.close());

  const sql = (text: string, values: readonly unknown[]): Promise<readonly Record<string, unknown>[]> =>
    world.app.get(DataSource).query(text, [...values]);
  const inDays = (days: number): Date => new Date(world.clock.now().getTime() + days * DAY);

  /** Writes a situation into the database. @returns the seats as facts of a decision, the device's own first */
  async function arrange(given: Situation, device: string): Promise<{ own: SeatFacts | null; live: SeatFacts[] }> {
    await sql('update extension set seat_idle_days = $2 where id = $1', [shop.extensionId, given.seatIdleDays]);
    await sql(
      'update license set revoked_at = $2, suspended_for = $3, expires_at = $4, max_activations = $5, grace_days = $6, on_end = $7, renewal_leeway_hours = $8 where id = $1',
      [
        shop.licenseId,
        given.isRevoked ? inDays(-1) : null,
        given.suspendedFor,
        given.expiresIn === null ? null : inDays(given.expiresIn),
        given.maxActivations,
        given.graceDays,
        given.onEnd,
        given.renewalLeewayHours,
      ],
    );
    await sql('delete from seat where license_id = $1', [shop.licenseId]);
    const add = async (
      fingerprint: string,
      { idle, isEnded }: { idle: number; isEnded: boolean },
    ): Promise<SeatFacts> => {
      const facts = { id: randomUUID(), lastSeenAt: inDays(-idle), endedAt: isEnded ? inDays(0) : null };
      await sql(
        `insert into seat (id, license_id, fingerprint_digest, first_seen_at, last_seen_at, ended_at) values ($1, $2, $3, $4, $4, $5)`,
        [facts.id, shop.licenseId, fingerprintDigest(shop.extensionId, fingerprint), facts.lastSeenAt, facts.endedAt],
      );
      return facts;
    };
    const own = given.own === null ? null : await add(device, given.own);
    const others: SeatFacts[] = [];
    for (const other of given.others) others.push(await add(randomUUID(), other));
    return { own, live: [...(own === null ? [] : [own]), ...others].filter(({ endedAt }) => endedAt === null) };
  }

  it('does in any situation what decideActivation decides', async () => {
    await fc.assert(
      fc.asyncProperty(situation, async (given) => {
        const device = randomUUID();
        const { own, live } = await arrange(given, device);
        const standing = {
          revokedAt: given.isRevoked ? inDays(-1) : null,
          suspendedFor: given.suspendedFor,
          expiresAt: given.expiresIn === null ? null : inDays(given.expiresIn),
          graceDays: given.graceDays,
          onEnd: given.onEnd,
          renewalLeewayHours: given.renewalLeewayHours,
        };
        const decided = decideActivation(standing, { ...given, used: live.length }, own, live, world.clock.now());
        const [ended, added] = decided.act === 'seat' ? [decided.ending, 1] : [[], 0];
        const used = live.length - ended.length + added;

        const { body } = await shop.activate(device);
        expect({ reason: body.reason, seats: body.seats }).toEqual({
          reason: decided.reason,
          seats: { used, max: given.maxActivations },
        });
        const kept = await sql('select id from seat where license_id = $1 and ended_at is null', [shop.licenseId]);
        const ids = kept.map(({ id }) => String(id));
        expect(ids).toHaveLength(used);
        const staying = live.filter(({ id }) => !ended.includes(id)).map(({ id }) => id);
        expect(ids).toEqual(expect.arrayContaining(staying));
        if (own !== null && decided.act === 'seat') expect(ids).toContain(own.id);
        // Repeating the request changes nothing.
        expect((await shop.activate(device)).body.seats).toEqual(body.seats);
      }),
      { numRuns: 60 },
    );
  });
});
