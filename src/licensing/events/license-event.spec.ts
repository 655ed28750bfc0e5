import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  dueAtEnd,
  firstEndMoment,
  nextEndMoment,
  refusalKey,
  toldOfChange,
  toldOfNew,
  type ToldColumns,
} from './license-event.js';
import { expiredFrom, type LicenseEnd } from '../plans/pure.js';

const DAY = 86_400_000;
const NOW = new Date('2030-06-15T12:00:00Z');
const ahead = (days: number): Date => new Date(NOW.getTime() + days * DAY);
const license = (rest: Partial<ToldColumns> = {}): ToldColumns => ({
  revokedAt: null,
  revokedFor: null,
  suspendedFor: [],
  expiresAt: ahead(30),
  ...rest,
});
const refunded = { revokedAt: NOW, revokedFor: 'refund' } as const;
const revoked = { revokedAt: NOW, revokedFor: 'tenant' } as const;
const told = (before: Partial<ToldColumns>, after: Partial<ToldColumns>): readonly string[] =>
  toldOfChange(license(before), license(after), 'payment').map(({ kind, reason }) => `${kind.slice(8)} ${reason}`);

describe('a new license', () => {
  it.each([
    ['manual', 'tenant'],
    ['batch:0198c0de/2', 'tenant'],
    ['import:4711', 'import'],
    ['stripe:sub_1', 'payment'],
  ])('of %s is told as issued by %s', (source, reason) => {
    expect(toldOfNew(source)).toEqual({ kind: 'license.issued', reason });
  });

  it('of a line without an order is told as imported', () => {
    expect(toldOfNew('manual', true)).toEqual({ kind: 'license.issued', reason: 'import' });
  });
});

describe('a change of a license', () => {
  it.each<[Partial<ToldColumns>, Partial<ToldColumns>, string[]]>([
    [{}, {}, []],
    [{}, { suspendedFor: ['payment'] }, ['suspended payment']],
    [{ suspendedFor: ['payment'] }, { suspendedFor: ['payment', 'dispute'] }, []],
    [{ suspendedFor: ['payment', 'dispute'] }, { suspendedFor: ['dispute'] }, []],
    [{ suspendedFor: ['payment'] }, {}, ['reinstated payment']],
    [{}, refunded, ['revoked refund']],
    [{ suspendedFor: ['dispute'] }, { suspendedFor: ['dispute'], ...refunded }, ['revoked refund']],
    [refunded, revoked, []],
    [refunded, {}, ['reinstated payment']],
    [{ suspendedFor: ['tenant'], ...refunded }, { suspendedFor: ['tenant'] }, ['suspended tenant']],
    [{}, { expiresAt: ahead(60) }, ['renewed payment']],
    [{}, { expiresAt: null }, ['renewed payment']],
    [{}, { expiresAt: ahead(29) }, []],
    [{ expiresAt: null }, { expiresAt: ahead(29) }, []],
    [{ suspendedFor: ['payment'] }, { expiresAt: ahead(60) }, ['reinstated payment', 'renewed payment']],
  ])('from %j to %j tells %j', (before, after, expected) => {
    expect(told(before, after)).toEqual(expected);
    // A failed payment moves the end to when it is waited for.
    const unpaid = toldOfChange(license(before), license(after), 'payment', false).map(({ kind }) => kind.slice(8));
    expect(unpaid).toEqual(expected.filter((one) => !one.startsWith('renewed')).map((one) => one.split(' ')[0]));
  });

  const columns = fc.record({
    revokedFor: fc.constantFrom('tenant', 'refund', 'dispute', null),
    suspendedFor: fc.uniqueArray(fc.constantFrom('tenant', 'dispute', 'payment')),
    expiresAt: fc.option(fc.integer({ min: -40, max: 40 }).map(ahead)),
  });
  const state = columns.map(({ revokedFor, ...rest }): ToldColumns => ({
    ...rest,
    revokedFor,
    revokedAt: revokedFor === null ? null : NOW,
  }));

  it('tells at most one new hold and one renewal, and nothing of what stays as it is', () => {
    fc.assert(
      fc.property(state, state, (before, after) => {
        const kinds = toldOfChange(before, after, 'tenant').map(({ kind }) => kind);
        expect(new Set(kinds).size).toBe(kinds.length);
        expect(kinds.filter((kind) => kind !== 'license.renewed').length).toBeLessThanOrEqual(1);
        expect(toldOfChange(after, after, 'tenant')).toEqual([]);
        expect(kinds.includes('license.revoked')).toBe(after.revokedAt !== null && before.revokedAt === null);
      }),
    );
  });
});

describe('the end of a license', () => {
  const at = (days: number | null): Date | null => (days === null ? null : ahead(days));
  const end = (days: number | null, rest: Partial<LicenseEnd> = {}): LicenseEnd => ({
    expiresAt: at(days),
    graceDays: 0,
    onEnd: 'expire',
    renewalLeewayHours: null,
    ...rest,
  });

  it.each<[number | null, number | null, Partial<LicenseEnd>]>([
    [null, null, {}],
    [-1, null, {}],
    [0, null, {}],
    [1, 1, {}],
    [3, 2, {}],
    [7, 6, {}],
    [8, 1, {}],
    [30, 23, {}],
    [90, 60, {}],
    [-1, 6, { graceDays: 7 }],
    [-1, null, { graceDays: 7, onEnd: 'maintain' }],
    [1, null, { onEnd: 'maintain' }],
    [3, 2, { onEnd: 'maintain' }],
    [30, 33, { renewalLeewayHours: 72 }],
    [3, 6, { renewalLeewayHours: 72 }],
    [-1, 2, { renewalLeewayHours: 72 }],
    [3, 10, { renewalLeewayHours: 72, graceDays: 7 }],
    [3, null, { renewalLeewayHours: 72, onEnd: 'maintain' }],
  ])('in %s days is first due in %s with %j', (days, due, rest) => {
    expect(firstEndMoment(end(days, rest), NOW)).toEqual(at(due));
  });

  it.each<[string, number | null, number | null, number | null, number | null, Partial<LicenseEnd>?]>([
    ['later', 10, 3, 40, 10],
    ['gone', 10, 3, null, null],
    ['the same', 10, 3, 10, 3],
    ['sooner than a week', 10, 3, 5, 4],
    ['in the past', 10, 3, -1, -1],
    ['further in the past of one that has expired', -1, null, -3, null],
    ['renewed after it has expired', -1, null, 30, 23],
    ['in the past, with days of grace', 10, 3, -1, 6, { graceDays: 7 }],
    ['renewed in its days of grace', -1, 6, 30, 23, { graceDays: 7 }],
  ])('that becomes %s is next due as it should', (_, days, due, next, expected, rest = {}) => {
    const before = { ...end(days, rest), expiryEventAt: at(due) };
    expect(nextEndMoment(before, end(next, rest), NOW)).toEqual(at(expected));
  });

  it.each<[string, LicenseEnd, LicenseEnd, number | null]>([
    ['is maintained now', end(10), end(10, { onEnd: 'maintain' }), 3],
    ['has expired and is maintained now', end(-1), end(-1, { onEnd: 'maintain' }), null],
    ['has expired and has days of grace now', end(-1), end(-1, { graceDays: 7 }), 6],
    ['loses its days of grace', end(-1, { graceDays: 7 }), end(-1), -1],
    ['is renewed', end(-1, { renewalLeewayHours: 72 }), end(29, { renewalLeewayHours: 72 }), 32],
    ['renews no more, weeks before', end(40, { renewalLeewayHours: 72 }), end(40), 10],
    ['renews no more, some weeks before', end(20, { renewalLeewayHours: 72 }), end(20), 13],
    ['renews no more, days before', end(3, { renewalLeewayHours: 72 }), end(3), -4],
    ['renews no more, once its renewal is late', end(-1, { renewalLeewayHours: 72 }), end(-1), -1],
    ['renews after all', end(3), end(3, { renewalLeewayHours: 72 }), 6],
  ])('of one that %s is next due as it should', (_, before, after, expected) => {
    const expiryEventAt = firstEndMoment(before, NOW);
    expect(nextEndMoment({ ...before, expiryEventAt }, after, NOW)).toEqual(at(expected));
  });

  const ends = fc.record({
    days: fc.integer({ min: 1, max: 40 }),
    graceDays: fc.nat(10),
    onEnd: fc.constantFrom('expire' as const, 'maintain' as const),
    renewalLeewayHours: fc.constantFrom(null, 0, 72),
    isRenewing: fc.boolean(),
  });

  it('is told at most twice, and each notice falls due once and before the end, however often somebody looks', () => {
    fc.assert(
      fc.property(ends, fc.array(fc.nat(60 * 24), { maxLength: 40 }), ({ days, isRenewing, ...rest }, looks) => {
        const license = end(days, rest);
        const expired = expiredFrom(license);
        let expiryEventAt = firstEndMoment(license, NOW);
        const kinds: string[] = [];
        const notices: number[] = [];
        for (const hours of looks.toSorted((a, b) => a - b)) {
          const now = new Date(NOW.getTime() + hours * 3_600_000);
          const due = dueAtEnd({ ...license, expiryEventAt, revokedAt: null }, now, isRenewing);
          expiryEventAt = due.next;
          notices.push(...due.notices);
          for (const one of due.notices) expect(ahead(days - one) <= now && now < ahead(days)).toBe(true);
          if (due.told === null) continue;
          kinds.push(due.told.kind);
          expect(due.told.kind === 'license.expired').toBe(expired !== null && expired <= now);
          expect(ahead(days - 7) <= now).toBe(true);
        }
        expect(new Set(notices).size).toBe(notices.length);
        if (isRenewing || rest.renewalLeewayHours !== null)
          expect([notices, kinds]).toEqual([[], kinds.filter((kind) => kind === 'license.expired')]);
        expect([[], ['license.expiring'], ['license.expired'], ['license.expiring', 'license.expired']]).toContainEqual(
          kinds,
        );
        const last = NOW.getTime() + Math.max(-1, ...looks) * 3_600_000;
        expect(kinds.includes('license.expired')).toBe(
          expired !== null && looks.length > 0 && last >= expired.getTime(),
        );
      }),
    );
  });

  it('is not told of a revoked license', () => {
    expect(dueAtEnd({ ...end(0), expiryEventAt: NOW, revokedAt: NOW }, NOW, false)).toEqual({
      told: null,
      notices: [],
      next: null,
    });
  });
});

it('a refused device is told once for each license and hour', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(48 * 60), { minLength: 1 }), (minutes) => {
      const at = (minute: number): Date => new Date(NOW.getTime() + minute * 60_000);
      const keys = new Set(minutes.map((minute) => refusalKey('a', at(minute))));
      expect(keys.size).toBe(new Set(minutes.map((minute) => Math.floor(minute / 60))).size);
      expect(keys.has(refusalKey('b', at(minutes[0] ?? 0)))).toBe(false);
    }),
  );
});
