import {
  isRevokedByPayment,
  statusOf,
  type LicenseStatus,
  type Revocation,
  type Suspension,
} from '../licenses/license-status.js';

/** What can be done to many licenses at once. Each leads to the same end however often it is repeated. */
export const BULK_ACTIONS = ['revoke', 'suspend', 'reinstate', 'extend', 'raise'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

export const BULK_OUTCOMES = ['changed', 'unchanged', 'refused'] as const;
export type BulkOutcome = (typeof BULK_OUTCOMES)[number];

/** What is to be done. */
export type BulkChange =
  | { readonly action: 'revoke' | 'suspend' | 'reinstate' }
  | { readonly action: 'extend'; readonly expiresAt: Date }
  | { readonly action: 'raise'; readonly maxActivations: number };

/** The facts from which the outcome follows. */
export interface BulkFacts {
  readonly revokedAt: Date | null;
  readonly revokedFor: Revocation | null;
  readonly suspendedFor: readonly Suspension[];
  readonly expiresAt: Date | null;
  /** The license's own number of devices, or else its plan's. */
  readonly maxActivations: number;
}

/** What of a license a bulk change may change. */
export interface BulkState {
  readonly status: LicenseStatus;
  readonly expiresAt: Date | null;
  readonly maxActivations: number;
}

export const bulkState = ({ maxActivations, ...facts }: BulkFacts, now: Date): BulkState => ({
  status: statusOf(facts, now),
  expiresAt: facts.expiresAt,
  maxActivations,
});

/** Says what a change does to a license, and what the license is afterwards. Nothing is shortened or lowered. */
export function bulkOutcome(
  change: BulkChange,
  facts: BulkFacts,
  now: Date,
): { readonly outcome: BulkOutcome; readonly after: BulkState } {
  const after = changed(change, facts, now);
  if (after === 'unchanged' || after === 'refused') return { outcome: after, after: bulkState(facts, now) };
  return { outcome: 'changed', after: bulkState({ ...facts, ...after }, now) };
}

function changed(change: BulkChange, facts: BulkFacts, now: Date): Partial<BulkFacts> | 'unchanged' | 'refused' {
  const { revokedAt, expiresAt, maxActivations } = facts;
  const isFinal = revokedAt !== null && !isRevokedByPayment(facts);
  if (change.action === 'revoke') return isFinal ? 'unchanged' : { revokedAt: revokedAt ?? now, revokedFor: 'tenant' };
  if (change.action === 'reinstate') return reinstated(facts, isFinal);
  if (revokedAt !== null) return 'refused';
  switch (change.action) {
    case 'suspend':
      return facts.suspendedFor.includes('tenant') ? 'unchanged' : { suspendedFor: [...facts.suspendedFor, 'tenant'] };
    case 'extend':
      return expiresAt === null || expiresAt >= change.expiresAt ? 'unchanged' : { expiresAt: change.expiresAt };
    case 'raise':
      return maxActivations >= change.maxActivations ? 'unchanged' : { maxActivations: change.maxActivations };
  }
}

function reinstated(
  { revokedAt, suspendedFor }: BulkFacts,
  isFinal: boolean,
): Partial<BulkFacts> | 'unchanged' | 'refused' {
  if (isFinal) return 'refused';
  return revokedAt === null && suspendedFor.length === 0
    ? 'unchanged'
    : { revokedAt: null, revokedFor: null, suspendedFor: [] };
}
