import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { NO_PAYMENTS, type PaymentRecord } from '../ledger/index.js';
import { continuedBy, fits, goesOn, heldTurn, holderOf, isKept, nextOf, paidTurn, type Turn } from './license-turns.js';

const day = (number: number): string => new Date(Date.UTC(2030, 0, 1 + number)).toISOString();
/** A turn, by its days. */
const turn = (id: string, from: number, until: number | null, more: Partial<Turn> = {}): Turn => ({
  id,
  origin: 'returned',
  boughtAt: day(from),
  until: until === null ? null : day(until),
  isTakenBack: false,
  ...more,
});

describe('a license that several purchases have paid for', () => {
  const [first, second] = [turn('a', 0, 30), turn('b', 40, 70)];
  const back = { ...second, isTakenBack: true };
  it.each<[string, readonly Turn[], boolean, string | null]>([
    ['the one that was bought last', [second, first], false, 'b'],
    ['the one before, when the last is taken back', [first, back], false, 'a'],
    ['the last when all are taken back', [{ ...first, isTakenBack: true }, back], false, 'b'],
    ['nobody when all are taken back, and none made it', [back], true, null],
  ])('follows %s', (_, turns, wasUnpaid, expected) => {
    expect(holderOf(turns, wasUnpaid)?.id ?? null).toBe(expected);
  });

  it.each<[string, Turn, readonly Turn[], number | null, boolean]>([
    ['after it ended', second, [first], 30, true],
    ['as it ends', turn('b', 30, 60), [first], 30, true],
    ['before it ends', turn('b', 29, 60), [first], 30, false],
    ['when it never ends', second, [turn('a', 0, null)], null, false],
    ['after an end of its own', second, [], 35, true],
    ['before all others', turn('z', 0, 30), [second], 70, true],
    ['before all others, and beyond their begin', turn('z', 0, 45), [second], 70, false],
    ['between two', turn('z', 30, 40), [first, second], 70, true],
    ['between two, and into the first', turn('z', 29, 40), [first, second], 70, false],
  ])('is continued by a purchase %s: %#', (_, own, turns, end, expected) => {
    expect(fits(own, turns, end === null ? null : day(end))).toBe(expected);
  });

  it('of the plan that was bought is continued before others, then the one that ended last', () => {
    const own = turn('n', 100, 130);
    const license = (id: string, planId: string, end: number) => ({
      id,
      planId,
      turns: [turn(id, 0, end)],
      end: day(end),
    });
    const licenses = [
      license('1', 'pro', 40),
      license('2', 'pro', 50),
      license('3', 'team', 60),
      license('4', 'pro', 110),
    ];
    expect(continuedBy(own, 'pro', licenses)?.id).toBe('2');
    expect(continuedBy(own, 'basic', licenses)?.id).toBe('3');
    expect(continuedBy(turn('n', 20, 30), 'pro', licenses)).toBeNull();
  });

  it('is left by a purchase that goes on, unless it was upgraded', () => {
    const on = turn('a', 0, 60);
    expect([goesOn(first, [first, second]), goesOn(on, [on, second])]).toEqual([false, true]);
    expect(goesOn(on, [on, { ...second, origin: 'upgraded' }])).toBe(false);
    expect([nextOf(on, [second, on])?.id, nextOf(second, [second, on])]).toEqual(['b', null]);
  });

  it.each([
    [null, [], false],
    ['refund', ['payment'], false],
    ['tenant', [], true],
    ['dispute', [], true],
    [null, ['dispute'], true],
    [null, ['payment', 'tenant'], true],
  ] as const)('revoked for %s and suspended for %j is kept as it is: %s', (revokedFor, suspendedFor, expected) => {
    expect(isKept({ revokedFor, suspendedFor })).toBe(expected);
  });
});

describe('the turn of a purchase', () => {
  const part = { isOnce: false, products: [] };
  const payment = { from: day(0), periods: {}, madeAt: null, isRefunded: false, refundedAt: null };
  const paid = { ...payment, refs: ['invoice:1'], until: day(30), total: null, once: {}, lines: {}, refunds: {} };
  const record: PaymentRecord = { ...NO_PAYMENTS, purchasedAt: day(0), isSubscription: true, payments: [paid] };
  const refunded = { ...record, payments: [{ ...paid, isRefunded: true, refundedAt: day(9) }] };
  const once = { ...record, isSubscription: false, payments: [{ ...paid, until: null, from: null }] };

  it.each<[string, PaymentRecord, string | null, boolean]>([
    ['lasts as long as it is paid', record, day(30), false],
    ['has no days of grace', { ...record, failures: [day(30)] }, day(30), false],
    ['ends with its refund', refunded, day(9), true],
    ['of something sold once has no end', once, null, false],
    ['is taken back while it is disputed', { ...once, disputes: { d: { at: day(3), value: 'open' } } }, day(3), true],
    ['goes on when the dispute is won', { ...once, disputes: { d: { at: day(5), value: 'won' } } }, null, false],
  ])('%s', (_, of, until, isTakenBack) => {
    expect(paidTurn(of, part)).toEqual({ boughtAt: day(0), until, isTakenBack });
  });

  const held = (of: PaymentRecord, revokedAt: Date | null, end: number | null) =>
    heldTurn({
      part,
      paid: of,
      applied: of,
      license: { revokedAt, expiresAt: end === null ? null : new Date(day(end)) },
      graceDays: 7,
    });
  it.each([
    ['is that of its payments', held(record, null, 30), day(30), false],
    ['has the end that the tenant gave it', held(record, null, 99), day(99), false],
    ['ends with what revoked it', held({ ...once, isRefunded: true }, new Date(day(9)), 365), day(0), true],
    ['goes on when the tenant reinstated it', held({ ...once, isRefunded: true }, null, null), null, false],
  ])('that a license is in %s', (_, found, until, isTakenBack) => {
    expect(found).toEqual({ boughtAt: day(0), until, isTakenBack });
  });
});

/** Licenses as lists of turns, as the service keeps them: what arrives is placed, or changes a turn, which may leave. */
function arrive(licenses: Turn[][], own: Turn): void {
  const at = licenses.findIndex((turns) => turns.some(({ id }) => id === own.id));
  const known = licenses[at]?.map((one) => (one.id === own.id ? { ...own, origin: one.origin } : one)) ?? null;
  const now = known?.find(({ id }) => id === own.id);
  if (known !== null && now !== undefined) {
    licenses[at] = known;
    if (!goesOn(now, known)) return;
    licenses[at] = known.filter((one) => one !== now);
  }
  const candidates = licenses.flatMap((turns, index) =>
    index === at ? [] : [{ id: String(index), planId: 'pro', turns, end: holderOf(turns, false)?.until ?? null }],
  );
  const found = continuedBy(own, 'pro', candidates);
  if (found === null) licenses.push([{ ...own, origin: 'made' }]);
  else licenses[Number(found.id)]?.push(own);
}

describe('in any order of arrival', () => {
  /** What is known of each purchase, month by month. */
  const versions = (id: string, from: number, months: number): readonly Turn[] =>
    Array.from({ length: months }, (_, month) => turn(id, from, from + (month + 1) * 30));
  /** Each purchase's news in order, mixed with those of the others. */
  const mixed = (all: readonly (readonly Turn[])[]) =>
    fc.shuffledSubarray(
      all.flatMap((news, index) => news.map(() => index)),
      { minLength: all.flat().length },
    );
  const play = (all: readonly (readonly Turn[])[], order: readonly number[]): readonly (readonly Turn[])[] => {
    const licenses: Turn[][] = [];
    const next = all.map((news) => [...news]);
    for (const index of order) {
      const own = next[index]?.shift();
      if (own !== undefined) arrive(licenses, own);
    }
    return licenses.filter((turns) => turns.length > 0);
  };
  const lives = fc.array(
    fc.record({ pause: fc.integer({ min: 1, max: 90 }), months: fc.integer({ min: 1, max: 4 }) }),
    {
      minLength: 1,
      maxLength: 4,
    },
  );

  it('purchases one after the other share one license, once all is known', () => {
    fc.assert(
      fc.property(lives, fc.gen(), (each, gen) => {
        let from = 0;
        const all = each.map(({ pause, months }, index) => {
          from += pause;
          const news = versions(`p${index}`, from, months);
          from += months * 30;
          return news;
        });
        const licenses = play(all, gen(mixed, all));
        expect(licenses).toHaveLength(1);
        expect(holderOf(licenses[0] ?? [], false)?.id).toBe(`p${all.length - 1}`);
      }),
      { numRuns: 500 },
    );
  });

  it('no two that are paid at one time share one', () => {
    const anywhere = fc.array(
      fc.record({ from: fc.integer({ min: 0, max: 200 }), months: fc.integer({ min: 1, max: 4 }) }),
      { minLength: 1, maxLength: 5 },
    );
    fc.assert(
      fc.property(anywhere, fc.gen(), (each, gen) => {
        const all = each.map(({ from, months }, index) => versions(`p${index}`, from, months));
        const licenses = play(all, gen(mixed, all));
        expect(
          licenses
            .flat()
            .map(({ id }) => id)
            .toSorted(),
        ).toEqual(all.map((_, index) => `p${index}`));
        for (const turns of licenses) for (const one of turns) expect(goesOn(one, turns)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});
