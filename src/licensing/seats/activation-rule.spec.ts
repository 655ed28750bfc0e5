import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SUSPENSIONS, type LicenseState } from '../licenses/license-status.js';
import {
  decideActivation,
  decideCheck,
  decideFormerCode,
  isHeartbeatDue,
  nextCheckAt,
  endShown,
  type SeatFacts,
  type SeatRules,
} from './activation-rule.js';
import type { Reason } from '../leases/reason.js';

const NOW = new Date('2027-01-31T12:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const GOOD: LicenseState = { revokedAt: null, suspendedFor: [], expiresAt: null, graceDays: 0, onEnd: 'expire' };
const RULES: SeatRules = { maxActivations: 2, seatIdleDays: 30 };

const ago = (ms: number): Date => new Date(NOW.getTime() - ms);
const seat = (id: string, idleMs = 0, endedAt: Date | null = null): SeatFacts => ({
  id,
  lastSeenAt: ago(idleMs),
  endedAt,
});
const ended = seat('own', 40 * DAY, ago(DAY));

describe('a license that is not active', () => {
  it.each<[Reason, LicenseState | null]>([
    ['invalid_code', null],
    ['revoked', { ...GOOD, revokedAt: NOW }],
    ['revoked', { ...GOOD, revokedAt: ago(DAY), suspendedFor: ['payment'], expiresAt: ago(DAY) }],
    ['suspended', { ...GOOD, suspendedFor: ['tenant'] }],
    ['suspended', { ...GOOD, suspendedFor: ['payment'], expiresAt: ago(1) }],
    ['expired', { ...GOOD, expiresAt: NOW }],
  ])('is %s for a device with a seat as for any other: %j', (reason, license) => {
    for (const own of [seat('own'), ended, null]) {
      expect(decideCheck(license, own, NOW)).toBe(reason);
      expect(decideActivation(license, { ...RULES, used: 1 }, own, own === null ? [] : [own], NOW)).toEqual({
        reason,
        act: 'refuse',
      });
    }
  });
});

describe('an activation', () => {
  const decide = (rules: Partial<SeatRules>, own: SeatFacts | null, live: readonly SeatFacts[]) =>
    decideActivation(GOOD, { ...RULES, ...rules, used: live.length }, own, live, NOW);
  const refused = { reason: 'seat_limit_reached', act: 'refuse' };
  const seated = (...ending: readonly string[]) => ({ reason: 'active', act: 'seat', ending });

  it.each<[string, object, Partial<SeatRules>, SeatFacts | null, readonly SeatFacts[]]>([
    ['gives the first device a seat', seated(), {}, null, []],
    ['gives out the last seat', seated(), {}, null, [seat('a')]],
    [
      'keeps the seat of a device that holds one',
      { reason: 'active', act: 'keep' },
      {},
      seat('own'),
      [seat('own'), seat('a')],
    ],
    [
      'keeps the seat of a device that holds one when the limit is lowered',
      { reason: 'active', act: 'keep' },
      { maxActivations: 1 },
      seat('own'),
      [seat('a'), seat('b'), seat('own')],
    ],
    ['gives a device the seat back that it had', seated(), {}, ended, [seat('a')]],
    ['gives out no seat beyond the limit', refused, {}, null, [seat('a'), seat('b')]],
    ['gives no seat back beyond the limit', refused, {}, ended, [seat('a'), seat('b')]],
    [
      'leaves a seat that has been idle for exactly the allowed days',
      refused,
      {},
      null,
      [seat('a'), seat('b', 30 * DAY)],
    ],
    ['takes over a seat that has been idle for longer', seated('b'), {}, null, [seat('a'), seat('b', 30 * DAY + 1)]],
    [
      'takes over the seat that has been idle longest',
      seated('b'),
      {},
      null,
      [seat('a', 31 * DAY), seat('b', 32 * DAY)],
    ],
    ['takes over no seat while there is room', seated(), {}, null, [seat('a', 90 * DAY)]],
    [
      'takes over a seat for a device that had one before too',
      seated('a'),
      {},
      ended,
      [seat('a', 31 * DAY), seat('b')],
    ],
    [
      'takes over no seat where idle seats are kept',
      refused,
      { seatIdleDays: null },
      null,
      [seat('a', 900 * DAY), seat('b')],
    ],
    [
      'takes over as many seats as a lowered limit requires',
      seated('c', 'b'),
      {},
      null,
      [seat('a'), seat('b', 31 * DAY), seat('c', 32 * DAY)],
    ],
    [
      'takes over no seat when the idle seats are too few',
      refused,
      { maxActivations: 1 },
      null,
      [seat('a'), seat('b', 31 * DAY), seat('c', 32 * DAY)],
    ],
  ])('%s', (_, expected, rules, own, live) => {
    expect(decide(rules, own, live)).toEqual(expected);
  });

  it('never exceeds the limit when it adds a seat, and never ends a seat that is not idle', () => {
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
  ])('of an active license answers %s for %j', (reason, own) => {
    expect(decideCheck(GOOD, own, NOW)).toBe(reason);
  });

  it('is active exactly when an activation would keep the seat', () => {
    const standing = fc.record({
      revokedAt: fc.option(fc.constant(NOW)),
      suspendedFor: fc.subarray([...SUSPENSIONS]),
      expiresAt: fc.option(fc.constantFrom(ago(1), NOW, ago(-1))),
      graceDays: fc.constantFrom(0, 7),
      onEnd: fc.constantFrom('expire', 'maintain'),
    });
    fc.assert(
      fc.property(
        fc.option(standing),
        fc.constantFrom(null, ended, seat('own'), seat('own', 90 * DAY)),
        (license, own) => {
          const live = own === null || own.endedAt !== null ? [] : [own];
          const keeps = decideActivation(license, { ...RULES, used: live.length }, own, live, NOW).act === 'keep';
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
  ])('writes a heartbeat (%s) for %j', (due, own) => {
    expect(isHeartbeatDue(own, NOW)).toBe(due);
  });
});

describe('a check with a code that was replaced', () => {
  const later = ago(-HOUR);
  it.each<[Reason, LicenseState, SeatFacts | null, Date]>([
    ['active', GOOD, seat('own'), later],
    ['code_replaced', GOOD, seat('own'), NOW],
    ['code_replaced', GOOD, seat('own'), ago(1)],
    ['code_replaced', GOOD, ended, later],
    ['code_replaced', GOOD, null, later],
    ['revoked', { ...GOOD, revokedAt: NOW }, seat('own'), later],
    ['expired', { ...GOOD, expiresAt: NOW }, null, later],
  ])('answers %s for %j with %j until %s', (reason, license, own, until) => {
    expect(decideFormerCode(license, own, until, NOW)).toBe(reason);
  });
});

describe('the next check', () => {
  it('is due in a day, up to a fifth earlier or later, and never after the license expires', () => {
    expect(nextCheckAt(NOW, 0, null)).toEqual(ago(-19.2 * HOUR));
    expect(nextCheckAt(NOW, 255, null)).toEqual(ago(-28.8 * HOUR));
    expect(nextCheckAt(NOW, 128, ago(-HOUR))).toEqual(ago(-HOUR));
    expect(nextCheckAt(NOW, 0, ago(HOUR))).toEqual(ago(-19.2 * HOUR));
  });
});

it.each<[object, Partial<LicenseState>, boolean]>([
  [{ expiresAt: null }, {}, true],
  [{ expiresAt: ago(-1) }, { expiresAt: ago(-1) }, true],
  [{ expiresAt: ago(-DAY) }, { expiresAt: NOW, graceDays: 1 }, false],
  [{ expiresAt: ago(-DAY), inGraceSince: NOW }, { expiresAt: NOW, graceDays: 1 }, true],
  [{ expiresAt: ago(-2 * DAY) }, { expiresAt: ago(-DAY), graceDays: 1 }, true],
  [{ expiresAt: null, updatesUntil: ago(DAY) }, { expiresAt: ago(DAY), onEnd: 'maintain' }, true],
  [{ expiresAt: null, updatesUntil: ago(-DAY) }, { expiresAt: ago(-DAY), onEnd: 'maintain', graceDays: 1 }, true],
  [{ expiresAt: null }, { expiresAt: ago(DAY), onEnd: 'maintain' }, false],
])('says %j of the end %j of a license that is active: %s', (shown, license, isActive) => {
  expect(endShown({ ...GOOD, ...license }, isActive, NOW)).toEqual(shown);
});
