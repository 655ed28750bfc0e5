import {
  changeByTenant,
  type LicenseStatus,
  type Revocation,
  type StatusAction,
  statusOf,
  type Suspension,
} from '../licenses/pure.js';
import type { LicenseEnd } from '../plans/pure.js';

/** Actions on many licenses at once. Each has the same result however often it is repeated. */
export const BULK_ACTIONS = ['revoke', 'suspend', 'reinstate', 'extend', 'raise'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

export const BULK_OUTCOMES = ['changed', 'unchanged', 'refused'] as const;
export type BulkOutcome = (typeof BULK_OUTCOMES)[number];

/** Action on the licenses. */
export type BulkChange =
  | { readonly action: StatusAction }
  | { readonly action: 'extend'; readonly expiresAt: Date }
  | { readonly action: 'raise'; readonly maxActivations: number };

/** The facts from which the outcome follows. */
export interface BulkFacts extends LicenseEnd {
  readonly revokedAt: Date | null;
  readonly revokedFor: Revocation | null;
  readonly suspendedFor: readonly Suspension[];
  /** The license's own number of devices, or else its plan's. */
  readonly maxActivations: number;
}

/** Columns of a license that a bulk change may change. */
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
  if (change.action !== 'extend' && change.action !== 'raise') return changeByTenant(facts, change.action, now);
  if (revokedAt !== null) return 'refused';
  if (change.action === 'raise')
    return maxActivations >= change.maxActivations ? 'unchanged' : { maxActivations: change.maxActivations };
  return expiresAt === null || expiresAt >= change.expiresAt ? 'unchanged' : { expiresAt: change.expiresAt };
}
