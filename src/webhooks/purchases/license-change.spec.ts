import { expect, it } from 'vitest';
import type { Entitlement } from '../ledger/index.js';
import { changeByPayments, endedBy } from './license-change.js';

const day = (number: number | null): Date | null => (number === null ? null : new Date(Date.UTC(2030, 0, 1 + number)));
const NOW = new Date('2030-01-10T00:00:00Z');
const TERMS = {
  revokedAt: null,
  revokedFor: null,
  suspendedFor: [],
  graceDays: 0,
  onEnd: 'expire',
  renewalLeewayHours: null,
} as const;
const paid = (until: number | null, renews = false): Entitlement => ({
  expiresAt: day(until),
  suspendedFor: [],
  revokedFor: null,
  isBought: true,
  renews,
});

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
  const change = changeByPayments({ ...TERMS, expiresAt: day(end) }, paid(before), paid(after), null, 72, NOW);
  expect(change).toEqual(expected === 'stays' ? {} : { expiresAt: day(expected) });
});

it.each<[string, number | null, number | null, Entitlement, Entitlement, object]>([
  ['that begins to renew', 30, null, paid(30), paid(30, true), { renewalLeewayHours: 72 }],
  ['that is renewed', 30, 72, paid(30, true), paid(60, true), { expiresAt: day(60) }],
  [
    'that was renewed while it had another leeway',
    30,
    24,
    paid(30, true),
    paid(60, true),
    { expiresAt: day(60), renewalLeewayHours: 72 },
  ],
  ['that is cancelled', 30, 72, paid(30, true), paid(30), { renewalLeewayHours: null }],
  ['whose payment fails', 30, 72, paid(30, true), paid(37), { expiresAt: day(37), renewalLeewayHours: null }],
  [
    'that goes on without an end',
    30,
    72,
    paid(30, true),
    paid(null, true),
    { expiresAt: null, renewalLeewayHours: null },
  ],
  ['whose end the tenant chose', 45, null, paid(30, true), paid(30, true), {}],
  [
    'that more is paid for than the tenant chose',
    45,
    null,
    paid(30, true),
    paid(60, true),
    { expiresAt: day(60), renewalLeewayHours: 72 },
  ],
  [
    'that leaves its order',
    30,
    72,
    paid(30, true),
    endedBy(paid(30, true), day(5)),
    { expiresAt: day(5), renewalLeewayHours: null },
  ],
])('a license %s waits for its renewal as it should', (_, end, leeway, before, after, expected) => {
  const license = { ...TERMS, expiresAt: day(end), renewalLeewayHours: leeway };
  expect(changeByPayments(license, before, after, null, 72, NOW)).toEqual(expected);
});
