import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { SUSPENSIONS, type LicenseState } from '../licenses/license-status.js';
import {
  decideActivation,
  decideCheck,
  decideFormerCode,
  isHeartbeatDue,
  nextCheckAt,
  endShown,
  isFull,
  seatsShown,
  takenAfter,
  type MemberSeats,
  type SeatFacts,
  type SeatRules,
  type SeatsTaken,
} from './activation-rule.js';
import type { Reason } from '../leases/reason.js';

const NOW = new Date('2027-01-31T12:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const GOOD: LicenseState = {
  revokedAt: null,
  suspendedFor: [],
  expiresAt: null,
  graceDays: 0,
  onEnd: 'expire',
  renewalLeewayHours: null,
};
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
          // Nobody reads the seats of a license that has a free one.
          const taken: SeatsTaken = { maxActivations, seatIdleDays, used: live.length };
          const seen = isFull(taken) ? live : [];
          expect(decideActivation(GOOD, taken, own, seen, NOW)).toEqual(decision);
          expect(isFull(taken)).toBe(live.length >= maxActivations);
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

describe('an activation with the code of a member', () => {
  const ann = (max: number | null, used: number): MemberSeats => ({ id: 'ann', used, max });
  const of = (memberId: string | null, one: SeatFacts): SeatFacts => ({ ...one, memberId });
  const decide = (max: number | null, own: SeatFacts | null, live: readonly SeatFacts[], maxActivations = 4) => {
    const used = live.filter(({ memberId }) => memberId === 'ann').length;
    const taken = { maxActivations, seatIdleDays: 30, used: live.length, member: ann(max, used) };
    return decideActivation(GOOD, taken, own, live, NOW);
  };
  const refused = { reason: 'seat_limit_reached', act: 'refuse' };
  const kept = { reason: 'active', act: 'keep' };
  const seated = (...ending: readonly string[]) => ({ reason: 'active', act: 'seat', ending });
  const mine = of('ann', seat('mine'));
  const idle = (id: string, days: number, memberId: string | null = null) => of(memberId, seat(id, days * DAY));

  it.each<[string, object, object]>([
    ['gives out a seat of the license', seated(), decide(null, null, [seat('a'), seat('b')])],
    ['gives out no seat beyond those of the license', refused, decide(null, null, [seat('a'), mine], 2)],
    ['gives out no seat beyond those of the license below the own limit', refused, decide(3, null, [seat('a')], 1)],
    ['gives out no seat beyond the own limit', refused, decide(1, null, [mine])],
    ['keeps a seat above the own limit', kept, decide(0, mine, [mine])],
    ['takes over an own idle seat at the own limit', seated('b'), decide(1, null, [seat('a'), idle('b', 31, 'ann')])],
    ['takes over no idle seat of others for it', refused, decide(1, null, [mine, idle('a', 31), idle('b', 31, 'bob')])],
    ['takes over an idle seat of others in a full license', seated('a'), decide(2, null, [mine, idle('a', 31)], 2)],
    ['counts an own idle seat for both limits', seated('b'), decide(1, null, [idle('a', 90), idle('b', 31, 'ann')], 2)],
    ['passes the live seat of the device on', seated(), decide(1, of('bob', seat('own')), [of('bob', seat('own'))], 1)],
    ['passes none on beyond the own limit', refused, decide(1, seat('own'), [seat('own'), mine])],
  ])('%s', (_, expected, decision) => {
    expect(decision).toEqual(expected);
  });

  it('never exceeds the limit of the license or of a person, whoever joins, activates, leaves and buys more or less', () => {
    const people = fc.constantFrom(null, 'ann', 'bob', 'cid');
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ act: fc.constant('activate' as const), who: people, device: fc.nat(7) }) },
      fc.record({ act: fc.constant('release' as const), device: fc.nat(7) }),
      fc.record({ act: fc.constant('leave' as const), who: people }),
      fc.record({ act: fc.constant('resize' as const), max: fc.integer({ min: 1, max: 6 }) }),
      fc.record({ act: fc.constant('wait' as const), device: fc.nat(7) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.option(fc.integer({ min: 1, max: 3 })), (steps, perMember) => {
        const rows = new Map<string, SeatFacts>();
        let maxActivations = 3;
        const liveOf = (who: string | null) => live().filter(({ memberId }) => memberId === who).length;
        const live = () => [...rows.values()].filter(({ endedAt }) => endedAt === null);
        const end = (one: SeatFacts) => rows.set(one.id, { ...one, endedAt: NOW });
        const leave = (who: string) => {
          for (const left of live()) if (left.memberId === who) end(left);
        };
        for (const one of steps) {
          const own = ('device' in one ? rows.get(String(one.device)) : undefined) ?? null;
          const before = live().length;
          if (one.act === 'resize') maxActivations = one.max;
          if (one.act === 'release' && own !== null) end(own);
          if (one.act === 'wait' && own !== null) rows.set(own.id, { ...own, lastSeenAt: ago(40 * DAY) });
          if (one.act === 'leave' && one.who !== null) leave(one.who);
          if (one.act !== 'activate') continue;
          const member = one.who === null ? null : { id: one.who, used: liveOf(one.who), max: perMember };
          const taken: SeatsTaken = { maxActivations, seatIdleDays: 30, used: before, member };
          const held = live();
          const decision = decideActivation(GOOD, taken, own, held, NOW);
          expect(decision.reason).toBe(decision.act === 'refuse' ? 'seat_limit_reached' : 'active');
          if (decision.act !== 'seat') continue;
          for (const id of decision.ending) end(rows.get(id) ?? seat(id));
          const id = String(one.device);
          rows.set(id, of(one.who, seat(id)));
          // A lower limit ends no seat, and none is added beyond it.
          expect(live().length).toBeLessThanOrEqual(Math.max(maxActivations, before));
          if (live().length > before) expect(live().length).toBeLessThanOrEqual(maxActivations);
          if (member !== null && perMember !== null) expect(liveOf(one.who)).toBeLessThanOrEqual(perMember);
          const after = takenAfter(taken, own, held, decision.ending);
          expect([after.used, after.member?.used]).toEqual([
            live().length,
            member === null ? undefined : liveOf(one.who),
          ]);
          expect(decideCheck({ ...GOOD, member }, rows.get(id) ?? null, NOW)).toBe('active');
        }
      }),
    );
  });

  it.each<[MemberSeats | null, object]>([
    [null, { used: 3, max: 4 }],
    [ann(null, 1), { used: 3, max: 4 }],
    [ann(2, 1), { used: 1, max: 2 }],
    [ann(9, 1), { used: 1, max: 4 }],
  ])('tells %j the seats %j', (member, expected) => {
    expect(seatsShown({ used: 3, maxActivations: 4, member })).toEqual(expected);
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
      renewalLeewayHours: fc.constantFrom(null, 1),
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
  [{ expiresAt: ago(-DAY), renews: true, renewsAt: ago(-DAY) }, { expiresAt: ago(-DAY), renewalLeewayHours: 72 }, true],
  [
    { expiresAt: ago(-2 * DAY), renews: true, renewsAt: ago(DAY) },
    { expiresAt: ago(DAY), renewalLeewayHours: 72 },
    true,
  ],
  [{ expiresAt: ago(-3 * DAY), renews: true, renewsAt: NOW }, { expiresAt: NOW, renewalLeewayHours: 72 }, true],
  [{ expiresAt: ago(DAY) }, { expiresAt: ago(4 * DAY), renewalLeewayHours: 72 }, false],
  [
    { expiresAt: ago(-8 * DAY), renews: true, renewsAt: ago(-DAY) },
    { expiresAt: ago(-DAY), graceDays: 7, renewalLeewayHours: 72 },
    true,
  ],
  [{ expiresAt: null, updatesUntil: ago(DAY) }, { expiresAt: ago(DAY), onEnd: 'maintain' }, true],
  [{ expiresAt: null, updatesUntil: ago(-DAY) }, { expiresAt: ago(-DAY), onEnd: 'maintain', graceDays: 1 }, true],
  [{ expiresAt: null }, { expiresAt: ago(DAY), onEnd: 'maintain' }, false],
])('says %j of the end %j of a license that is active: %s', (shown, license, isActive) => {
  expect(endShown({ ...GOOD, ...license }, isActive, NOW)).toEqual(shown);
});
