import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  dueExpiryEvent,
  EXPIRING_MS,
  firstExpiryEvent,
  nextExpiryEvent,
  refusalKey,
  toldOfChange,
  toldOfNew,
  type ToldColumns,
} from './license-event.js';

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
    ['import:4711', 'import'],
    ['stripe:sub_1', 'payment'],
  ])('of %s is told as issued by %s', (source, reason) => {
    expect(toldOfNew(source)).toEqual({ kind: 'license.issued', reason });
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
  it.each([
    [null, null],
    [-1, null],
    [0, null],
    [3, 3],
    [7, 7],
    [8, 1],
  ])('in %s days has its first event in %s', (end, due) => {
    const at = (days: number | null): Date | null => (days === null ? null : ahead(days));
    expect(firstExpiryEvent(at(end), NOW)).toEqual(at(due));
  });

  it.each([
    ['later', 10, 3, 40, 33],
    ['gone', 10, 3, null, null],
    ['the same', 10, 3, 10, 3],
    ['sooner than a week', 10, 3, 5, 5],
    ['in the past', 10, 3, -1, -1],
    ['further in the past of one that has expired', -1, null, -3, null],
    ['renewed after it has expired', -1, null, 30, 23],
  ])('that becomes %s has its next event as it should', (_, end, due, next, expected) => {
    const at = (days: number | null): Date | null => (days === null ? null : ahead(days));
    expect(nextExpiryEvent({ expiresAt: at(end), expiryEventAt: at(due) }, at(next), NOW)).toEqual(at(expected));
  });

  it('is told at most twice, first a week ahead and then when it has come, however often somebody looks', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.array(fc.nat(60 * 24), { maxLength: 40 }), (end, looks) => {
        const expiresAt = ahead(end);
        let expiryEventAt = firstExpiryEvent(expiresAt, NOW);
        const kinds: string[] = [];
        for (const hours of looks.toSorted((a, b) => a - b)) {
          const now = new Date(NOW.getTime() + hours * 3_600_000);
          const due = dueExpiryEvent({ expiresAt, expiryEventAt, revokedAt: null }, now);
          expiryEventAt = due.next;
          if (due.told === null) continue;
          kinds.push(due.told.kind);
          expect(due.told.kind === 'license.expired').toBe(expiresAt <= now);
          expect(expiresAt.getTime() - now.getTime()).toBeLessThanOrEqual(EXPIRING_MS);
        }
        expect([[], ['license.expiring'], ['license.expired'], ['license.expiring', 'license.expired']]).toContainEqual(
          kinds,
        );
        const last = NOW.getTime() + Math.max(-1, ...looks) * 3_600_000;
        expect(kinds.includes('license.expired')).toBe(looks.length > 0 && last >= expiresAt.getTime());
      }),
    );
  });

  it('is not told of a revoked license', () => {
    expect(dueExpiryEvent({ expiresAt: NOW, expiryEventAt: NOW, revokedAt: NOW }, NOW)).toEqual({
      told: null,
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
