import { expect, it } from 'vitest';
import fc from 'fast-check';
import { endOfDuration, extendedBy, TERM_UNITS, type Term } from './term.js';

const NOW = new Date('2027-01-15T12:00:00Z');

it.each<[string, Term, string]>([
  ['2027-01-31T10:00:00Z', { count: 30, unit: 'days' }, '2027-03-02T10:00:00.000Z'],
  ['2027-01-31T10:00:00Z', { count: 1, unit: 'months' }, '2027-02-28T10:00:00.000Z'],
  ['2028-01-31T10:00:00Z', { count: 1, unit: 'months' }, '2028-02-29T10:00:00.000Z'],
  ['2027-01-31T10:00:00Z', { count: 14, unit: 'months' }, '2028-03-31T10:00:00.000Z'],
  ['2028-02-29T10:00:00Z', { count: 1, unit: 'years' }, '2029-02-28T10:00:00.000Z'],
  ['2027-12-31T23:59:59Z', { count: 1, unit: 'years' }, '2028-12-31T23:59:59.000Z'],
  // It has ended: the term begins now.
  ['2026-12-31T23:59:59Z', { count: 1, unit: 'days' }, '2027-01-16T12:00:00.000Z'],
  ['2026-01-31T10:00:00Z', { count: 1, unit: 'months' }, '2027-02-15T12:00:00.000Z'],
])('a license until %s that gets %j is for until %s', (expiresAt, term, end) => {
  expect(extendedBy(new Date(expiresAt), term, NOW).toISOString()).toBe(end);
});

it('a term is never shorter than its days, and a longer one never ends earlier', () => {
  const time = fc.date({
    min: new Date('2020-01-01T00:00:00Z'),
    max: new Date('2080-01-01T00:00:00Z'),
    noInvalidDate: true,
  });
  const terms = fc.record({ count: fc.integer({ min: 1, max: 100 }), unit: fc.constantFrom(...TERM_UNITS) });
  const LEAST_DAYS = { days: 1, months: 28, years: 365 };
  fc.assert(
    fc.property(time, terms, (expiresAt, term) => {
      const end = extendedBy(expiresAt, term, NOW).getTime();
      const from = Math.max(expiresAt.getTime(), NOW.getTime());
      expect(end - from).toBeGreaterThanOrEqual(term.count * LEAST_DAYS[term.unit] * 86_400_000);
      expect(extendedBy(expiresAt, { ...term, count: term.count + 1 }, NOW).getTime()).toBeGreaterThan(end);
    }),
  );
});

it.each([
  ['P30D', '2027-03-02T10:00:00.000Z'],
  ['P1M', '2027-02-28T10:00:00.000Z'],
  ['P2Y', '2029-01-31T10:00:00.000Z'],
  [null, undefined],
])('a license of a plan of %s that begins on 31 January ends at %s', (duration, end) => {
  expect(endOfDuration(new Date('2027-01-31T10:00:00Z'), duration)?.toISOString()).toBe(end);
});
