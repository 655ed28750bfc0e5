import { expect, it } from 'vitest';
import { bulkOutcome, type BulkChange, type BulkFacts } from './bulk-rule.js';

const NOW = new Date('2026-11-22T12:00:00Z');
const PAST = new Date('2026-11-01T00:00:00Z');
const SOON = new Date('2026-12-01T00:00:00Z');
const LATE = new Date('2027-12-01T00:00:00Z');
const GOOD: BulkFacts = {
  revokedAt: null,
  revokedFor: null,
  suspendedFor: [],
  expiresAt: SOON,
  graceDays: 0,
  onEnd: 'expire',
  renewalLeewayHours: null,
  maxActivations: 3,
};
const FINAL: BulkFacts = { ...GOOD, revokedAt: PAST, revokedFor: 'tenant' };
const REFUNDED: BulkFacts = { ...GOOD, revokedAt: PAST, revokedFor: 'refund' };
const OWN: BulkFacts = { ...GOOD, suspendedFor: ['tenant'] };
const DISPUTED: BulkFacts = { ...GOOD, suspendedFor: ['dispute'] };
const EXPIRED: BulkFacts = { ...GOOD, expiresAt: PAST };
const FOREVER: BulkFacts = { ...GOOD, expiresAt: null };

const REVOKE: BulkChange = { action: 'revoke' };
const SUSPEND: BulkChange = { action: 'suspend' };
const REINSTATE: BulkChange = { action: 'reinstate' };
const EXTEND: BulkChange = { action: 'extend', expiresAt: LATE };
const RAISE: BulkChange = { action: 'raise', maxActivations: 5 };

it.each<[string, BulkChange, BulkFacts, string, object]>([
  ['revokes a good license', REVOKE, GOOD, 'changed', { status: 'revoked' }],
  ['makes a refund’s revocation final', REVOKE, REFUNDED, 'changed', { status: 'revoked' }],
  ['revokes once', REVOKE, FINAL, 'unchanged', { status: 'revoked' }],
  ['suspends a good license', SUSPEND, GOOD, 'changed', { status: 'suspended' }],
  ['suspends an expired license', SUSPEND, EXPIRED, 'changed', { status: 'suspended' }],
  ['suspends for the tenant what a dispute suspends', SUSPEND, DISPUTED, 'changed', { status: 'suspended' }],
  ['suspends once', SUSPEND, OWN, 'unchanged', { status: 'suspended' }],
  ['does not suspend what is revoked', SUSPEND, REFUNDED, 'refused', { status: 'revoked' }],
  ['reinstates a suspended license', REINSTATE, DISPUTED, 'changed', { status: 'active' }],
  ['reinstates a refunded license', REINSTATE, REFUNDED, 'changed', { status: 'active' }],
  ['does not reinstate what the tenant revoked', REINSTATE, FINAL, 'refused', { status: 'revoked' }],
  ['has nothing to reinstate', REINSTATE, GOOD, 'unchanged', { status: 'active' }],
  ['extends a license', EXTEND, GOOD, 'changed', { status: 'active', expiresAt: LATE }],
  ['revives an expired license', EXTEND, EXPIRED, 'changed', { status: 'active', expiresAt: LATE }],
  ['shortens nothing', { ...EXTEND, expiresAt: PAST }, GOOD, 'unchanged', { expiresAt: SOON }],
  ['extends once', { ...EXTEND, expiresAt: SOON }, GOOD, 'unchanged', { expiresAt: SOON }],
  ['ends nothing that never ends', EXTEND, FOREVER, 'unchanged', { expiresAt: null }],
  ['does not extend what is revoked', EXTEND, FINAL, 'refused', { expiresAt: SOON }],
  ['raises a limit', RAISE, GOOD, 'changed', { maxActivations: 5 }],
  ['lowers no limit', { ...RAISE, maxActivations: 2 }, GOOD, 'unchanged', { maxActivations: 3 }],
  ['does not raise the limit of what is revoked', RAISE, REFUNDED, 'refused', { maxActivations: 3 }],
])('a bulk change %s', (_, change, facts, outcome, after) => {
  expect(bulkOutcome(change, facts, NOW)).toMatchObject({ outcome, after });
});
