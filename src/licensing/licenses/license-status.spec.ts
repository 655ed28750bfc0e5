import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  changeByTenant,
  entitlementsOf,
  shownSuspension,
  statusOf,
  SUSPENSIONS,
  type LicenseStatus,
  type LicenseState,
  type StatusAction,
  type Suspension,
} from './license-status.js';

const NOW = new Date('2027-01-31T12:00:00Z');
const BEFORE = new Date(NOW.getTime() - 1);
const AFTER = new Date(NOW.getTime() + 1);
const GOOD: LicenseState = {
  revokedAt: null,
  suspendedFor: [],
  expiresAt: null,
  graceDays: 0,
  onEnd: 'expire',
  renewalLeewayHours: null,
};
const dayBefore = (time: Date, days: number, ms = 0): Date => new Date(time.getTime() - days * 86_400_000 + ms);

describe('a license', () => {
  it.each<[LicenseStatus, Suspension | null, Partial<LicenseState>]>([
    ['active', null, { revokedAt: null, suspendedFor: [], expiresAt: null }],
    ['active', null, { revokedAt: null, suspendedFor: [], expiresAt: AFTER }],
    ['expired', null, { revokedAt: null, suspendedFor: [], expiresAt: NOW }],
    ['expired', null, { revokedAt: null, suspendedFor: [], expiresAt: BEFORE }],
    ['suspended', 'payment', { revokedAt: null, suspendedFor: ['payment'], expiresAt: BEFORE }],
    ['suspended', 'dispute', { revokedAt: null, suspendedFor: ['payment', 'dispute'], expiresAt: null }],
    ['suspended', 'tenant', { revokedAt: null, suspendedFor: ['dispute', 'tenant'], expiresAt: AFTER }],
    ['revoked', null, { revokedAt: BEFORE, suspendedFor: ['tenant'], expiresAt: BEFORE }],
    ['revoked', null, { revokedAt: BEFORE, suspendedFor: [], expiresAt: null }],
    ['active', null, { expiresAt: BEFORE, graceDays: 1 }],
    ['active', null, { expiresAt: dayBefore(NOW, 1, 1), graceDays: 1 }],
    ['expired', null, { expiresAt: dayBefore(NOW, 1), graceDays: 1 }],
    ['active', null, { expiresAt: dayBefore(NOW, 3, 1), renewalLeewayHours: 72 }],
    ['expired', null, { expiresAt: dayBefore(NOW, 3), renewalLeewayHours: 72 }],
    ['expired', null, { expiresAt: NOW, renewalLeewayHours: 0 }],
    ['active', null, { expiresAt: dayBefore(NOW, 3), graceDays: 4, renewalLeewayHours: 72 }],
    ['active', null, { expiresAt: dayBefore(NOW, 1), graceDays: 1, renewalLeewayHours: 72 }],
    ['suspended', 'payment', { expiresAt: dayBefore(NOW, 1), renewalLeewayHours: 72, suspendedFor: ['payment'] }],
    ['active', null, { expiresAt: dayBefore(NOW, 400), onEnd: 'maintain' }],
    ['suspended', 'tenant', { expiresAt: BEFORE, onEnd: 'maintain', suspendedFor: ['tenant'] }],
    ['revoked', null, { expiresAt: BEFORE, onEnd: 'maintain', revokedAt: BEFORE }],
  ])('is %s, suspended for %s, as %j', (status, shown, given) => {
    const standing = { ...GOOD, ...given };
    expect(statusOf(standing, NOW)).toBe(status);
    expect(shownSuspension(standing)).toBe(shown);
  });

  it('shows a reason for its suspension exactly while it is suspended', () => {
    const standing = fc.record({
      revokedAt: fc.option(fc.constant(BEFORE)),
      suspendedFor: fc.subarray([...SUSPENSIONS]),
      expiresAt: fc.option(fc.constantFrom(BEFORE, NOW, AFTER)),
      graceDays: fc.constantFrom(0, 7),
      onEnd: fc.constantFrom('expire', 'maintain'),
      renewalLeewayHours: fc.constantFrom(null, 0, 72),
    });
    fc.assert(
      fc.property(standing, (one) => {
        expect(shownSuspension(one) !== null).toBe(statusOf(one, NOW) === 'suspended');
      }),
    );
  });
});

it.each([
  [[], []],
  [
    ['sync', 'export'],
    ['export', 'sync'],
  ],
  [
    ['sync', 'sync', 'a'],
    ['a', 'sync'],
  ],
])('the features %j of plan and license are %j', (both, features) => {
  expect(entitlementsOf(both)).toEqual(features);
});

describe('the tenant', () => {
  const GOOD = { revokedAt: null, revokedFor: null, suspendedFor: [] };
  const DISPUTED = { ...GOOD, suspendedFor: ['dispute' as const] };
  const REFUNDED = { ...GOOD, revokedAt: BEFORE, revokedFor: 'refund' as const };
  const REVOKED = { ...REFUNDED, revokedFor: 'tenant' as const };

  it.each<[StatusAction, Parameters<typeof changeByTenant>[0], ReturnType<typeof changeByTenant>]>([
    ['revoke', DISPUTED, { revokedAt: NOW, revokedFor: 'tenant' }],
    ['revoke', REFUNDED, { revokedAt: BEFORE, revokedFor: 'tenant' }],
    ['revoke', REVOKED, 'unchanged'],
    ['suspend', DISPUTED, { suspendedFor: ['dispute', 'tenant'] }],
    ['suspend', { ...GOOD, suspendedFor: ['tenant'] }, 'unchanged'],
    ['suspend', REFUNDED, 'refused'],
    ['reinstate', DISPUTED, GOOD],
    ['reinstate', REFUNDED, GOOD],
    ['reinstate', GOOD, 'unchanged'],
    ['reinstate', REVOKED, 'refused'],
  ])('can %s %j: %j', (action, license, change) => {
    expect(changeByTenant(license, action, NOW)).toEqual(change);
  });
});
