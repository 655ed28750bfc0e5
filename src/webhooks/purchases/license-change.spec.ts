import { expect, it } from 'vitest';
import { changeByPayments } from './license-change.js';

const day = (number: number | null): Date | null => (number === null ? null : new Date(Date.UTC(2030, 0, 1 + number)));
const NOW = new Date('2030-01-10T00:00:00Z');
const TERMS = { revokedAt: null, revokedFor: null, suspendedFor: [], graceDays: 0, onEnd: 'expire' } as const;
const paid = (until: number | null) => ({ expiresAt: day(until), suspendedFor: [], revokedFor: null, isBought: true });

it.each<[string, number | null, number | null, number | null, number | null | 'stays']>([
  ['follows what is paid', 30, 30, 60, 60],
  ['follows a refund', 60, 60, 30, 30],
  ['follows a sale that turns out to be a subscription', 365, null, 30, 30],
  ['follows a subscription that goes on without an end', 30, 30, null, null],
  ['stays where nothing was paid', 90, 30, 30, 'stays'],
  ['stays where the tenant chose a later end', 365, 30, 60, 'stays'],
  ['stays where the tenant chose none', null, 30, 60, 'stays'],
  ['stays where the tenant chose a later end, and the buyer got the money back', 365, 60, 30, 'stays'],
  ['moves once more is paid for than the tenant chose', 45, 30, 60, 60],
  ['moves where the tenant chose an earlier end', 12, 30, 60, 60],
  ['is what both say', 60, 30, 60, 'stays'],
])('the end of a license %s', (_, end, before, after, expected) => {
  const change = changeByPayments({ ...TERMS, expiresAt: day(end) }, paid(before), paid(after), null, NOW);
  expect(change).toEqual(expected === 'stays' ? {} : { expiresAt: day(expected) });
});
