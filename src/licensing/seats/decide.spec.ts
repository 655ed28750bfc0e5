import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SUSPENSIONS, type LicenseState } from '../licenses/license-status.js';
import {
  decideActivation,
  decideCheck,
  isHeartbeatDue,
  nextCheckAt,
  type Reason,
  type SeatFacts,
  type SeatRules,
} from './decide.js';

const NOW = new Date('2027-01-31T12:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const GOOD: LicenseState = { revokedAt: null, suspendedFor: [], expiresAt: null };
const RULES: SeatRules = { maxActivations: 2, seatIdleDays: 30 };

const ago = (ms: number): Date => new Date(NOW.getTime() - ms);
const seat = (id: string, idleMs = 0, endedAt: Date | null = null): SeatFacts => ({
  id,
  lastSeenAt: ago(idleMs),
  endedAt,
});
const ended = seat('own', 40 * DAY, ago(DAY));

describe('a license that is not good', () => {
  it.each<[Reason, LicenseState | null]>([
    ['invalid_code', null],
    ['revoked', { ...GOOD, revokedAt: NOW }],
    ['revoked', { revokedAt: ago(DAY), suspendedFor: ['payment'], expiresAt: ago(DAY) }],
    ['suspended', { ...GOOD, suspendedFor: ['tenant'] }],
    ['suspended', { ...GOOD, suspendedFor: ['payment'], expiresAt: ago(1) }],
    ['expired', { ...GOOD, expiresAt: NOW }],
  ])('is %s for the device that holds a seat as for any other: %j', (reason, license) => {
    for (const own of [seat('own'), ended, null]) {
      expect(decideCheck(license, own, NOW)).toBe(reason);
      expect(decideActivation(license, RULES, own, own === null ? [] : [own], NOW)).toEqual({ reason, act: 'refuse' });
    }
  });
});

describe('an activation', () => {
  const decide = (rules: Partial<SeatRules>, own: SeatFacts | null, live: readonly SeatFacts[]) =>
    decideActivation(GOOD, { ...RULES, ...rules }, own, live, NOW);
  const refused = { reason: 'seat_limit_reached', act: 'refuse' };
  const seated = (seatId: string | null, ...ending: readonly string[]) => ({
    reason: 'active',
    act: 'seat',
    seatId,
    ending,
  });

  it.each<[string, object, Partial<SeatRules>, SeatFacts | null, readonly SeatFacts[]]>([
    ['seats the first device', seated(null), {}, null, []],
    ['seats the last that fits', seated(null), {}, null, [seat('a')]],
    [
      'keeps a device that is seated',
      { reason: 'active', act: 'keep', seatId: 'own' },
      {},
      seat('own'),
      [seat('own'), seat('a')],
    ],
    [
      'keeps a device that is seated when the limit was lowered below it',
      { reason: 'active', act: 'keep', seatId: 'own' },
      { maxActivations: 1 },
      seat('own'),
      [seat('a'), seat('b'), seat('own')],
    ],
    ['gives a device its former seat back', seated('own'), {}, ended, [seat('a')]],
    ['seats nobody beyond the limit', refused, {}, null, [seat('a'), seat('b')]],
    ['gives no former seat back beyond the limit', refused, {}, ended, [seat('a'), seat('b')]],
    ['leaves a seat that has been idle for exactly its days', refused, {}, null, [seat('a'), seat('b', 30 * DAY)]],
    [
      'takes over a seat that has been idle for longer',
      seated(null, 'b'),
      {},
      null,
      [seat('a'), seat('b', 30 * DAY + 1)],
    ],
    ['takes over the longest idle one', seated(null, 'b'), {}, null, [seat('a', 31 * DAY), seat('b', 32 * DAY)]],
    ['takes over nothing while there is room', seated(null), {}, null, [seat('a', 90 * DAY)]],
    ['takes over for a former seat too', seated('own', 'a'), {}, ended, [seat('a', 31 * DAY), seat('b')]],
    [
      'takes over nothing where seats never idle',
      refused,
      { seatIdleDays: null },
      null,
      [seat('a', 900 * DAY), seat('b')],
    ],
    [
      'takes over as many as a lowered limit needs',
      seated(null, 'c', 'b'),
      {},
      null,
      [seat('a'), seat('b', 31 * DAY), seat('c', 32 * DAY)],
    ],
    [
      'takes over none when that would not be enough',
      refused,
      { maxActivations: 1 },
      null,
      [seat('a'), seat('b', 31 * DAY), seat('c', 32 * DAY)],
    ],
  ])('%s', (_, expected, rules, own, live) => {
    expect(decide(rules, own, live)).toEqual(expected);
  });

  it('never leaves more seats than the limit where it adds one, and never ends one that is not idle', () => {
    const seats = fc.array(fc.record({ idleDays: fc.integer({ min: 0, max: 100 }), held: fc.boolean() }), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(
        seats,
        fc.integer({ min: 1, max: 8 }),
        fc.option(fc.integer({ min: 1, max: 60 })),
        fc.nat(12),
        (all, maxActivations, seatIdleDays, ownAt) => {
          const known = all.map(({ idleDays, held }, index) => seat(String(index), idleDays * DAY, held ? null : NOW));
          const own = known[ownAt] ?? null;
          const live = known.filter(({ endedAt }) => endedAt === null);
          const decision = decide({ maxActivations, seatIdleDays }, own, live);
          if (decision.act === 'keep') expect(own?.endedAt).toBeNull();
          if (decision.act === 'refuse') expect(live.length).toBeGreaterThanOrEqual(maxActivations);
          if (decision.act !== 'seat') return;
          expect(live.length - decision.ending.length + 1).toBeLessThanOrEqual(maxActivations);
          for (const id of decision.ending) {
            const idle = (NOW.getTime() - (known[Number(id)]?.lastSeenAt.getTime() ?? 0)) / DAY;
            expect(idle).toBeGreaterThan(seatIdleDays ?? Infinity);
          }
          if (live.length < maxActivations) expect(decision.ending).toEqual([]);
        },
      ),
    );
  });
});

describe('a check', () => {
  it.each<[Reason, SeatFacts | null]>([
    ['active', seat('own')],
    ['active', seat('own', 900 * DAY)],
    ['seat_not_active', ended],
    ['seat_not_active', null],
  ])('of a good license says %s of %j', (reason, own) => {
    expect(decideCheck(GOOD, own, NOW)).toBe(reason);
  });

  it('is active exactly when an activation would keep the seat', () => {
    const standing = fc.record({
      revokedAt: fc.option(fc.constant(NOW)),
      suspendedFor: fc.subarray([...SUSPENSIONS]),
      expiresAt: fc.option(fc.constantFrom(ago(1), NOW, ago(-1))),
    });
    fc.assert(
      fc.property(
        fc.option(standing),
        fc.constantFrom(null, ended, seat('own'), seat('own', 90 * DAY)),
        (license, own) => {
          const live = own === null || own.endedAt !== null ? [] : [own];
          const keeps = decideActivation(license, RULES, own, live, NOW).act === 'keep';
          expect(decideCheck(license, own, NOW) === 'active').toBe(keeps);
        },
      ),
    );
  });

  it.each<[boolean, SeatFacts | null]>([
    [true, seat('own', HOUR)],
    [true, seat('own', 90 * DAY)],
    [false, seat('own', HOUR - 1)],
    [false, seat('own', -HOUR)],
    [false, seat('own', 90 * DAY, NOW)],
    [false, null],
  ])('writes a sign of life (%s) for %j', (due, own) => {
    expect(isHeartbeatDue(own, NOW)).toBe(due);
  });
});

describe('the next check', () => {
  it('comes within a day, a fifth earlier or later, and never after the end', () => {
    expect(nextCheckAt(NOW, 0, null)).toEqual(ago(-19.2 * HOUR));
    expect(nextCheckAt(NOW, 255, null)).toEqual(ago(-28.8 * HOUR));
    expect(nextCheckAt(NOW, 128, ago(-HOUR))).toEqual(ago(-HOUR));
    expect(nextCheckAt(NOW, 0, ago(HOUR))).toEqual(ago(-19.2 * HOUR));
  });
});
