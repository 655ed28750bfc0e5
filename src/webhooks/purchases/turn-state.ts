import type { LicenseChange, LicenseEntity, SoldPlan } from '../../licensing/index.js';
import { endOfDuration, planChange, type Revocation } from '../../licensing/pure.js';
import { type BoughtPart, type Entitlement, entitlementOf, type PaymentRecord } from '../ledger/index.js';
import { endedBy, leewayOf } from './license-change.js';
import type { FormerLicense } from './purchase.entity.js';

/** The operator's numbers: how long a license lasts past a failed payment, and past a renewal that nobody has told yet. */
interface PaymentTerms {
  readonly dunningGraceDays: number;
  readonly renewalLeewayHours: number;
}

/** A purchase that takes a license over, and the part of it that the license is for. */
interface Taking {
  readonly row: BoughtPart & { readonly units: number; readonly endedAt: Date | null };
  readonly paid: PaymentRecord;
}

/**
 * What a license becomes when a purchase takes it over: as if it had made the license, but for the seats that the tenant gave it and the tenant's
 * own suspension or revocation. Pure.
 * @param plan null when it was deleted
 * @param former the license when the purchase passed it on; null when it never had it
 * @param seats the number that the tenant gave it; null for the plan's
 */
export function stateOf(
  license: LicenseEntity,
  { row, paid }: Taking,
  how: {
    readonly plan: SoldPlan | null;
    readonly former: FormerLicense | null;
    readonly seats: number | null;
    readonly now: Date;
    readonly terms: PaymentTerms;
  },
): LicenseChange {
  const { plan, former, seats, now, terms } = how;
  const entitlement = endedBy(entitlementOf(paid, terms.dunningGraceDays, row), row.endedAt);
  const isPeriodic = paid.isSubscription && !row.isOnce;
  const expiresAt = entitlement.expiresAt ?? (isPeriodic ? null : endOfSale(paid, plan, former));
  return {
    ...(plan === null ? {} : planChange(plan)),
    maxActivations: row.units > 1 && plan !== null ? row.units * plan.maxActivations : seats,
    expiresAt,
    renewalLeewayHours: leewayOf(entitlement, expiresAt, plan?.renewalLeewayHours ?? terms.renewalLeewayHours),
    duration: former?.duration ?? null,
    ...holdsBy(license, entitlement, now),
  };
}

/** What a license becomes when all that was paid for it is taken back: as it was. Pure. */
export const stateBefore = (
  license: LicenseEntity,
  plan: SoldPlan | null,
  { expiresAt, duration, maxActivations }: FormerLicense,
): LicenseChange => ({
  ...(plan === null ? {} : planChange(plan)),
  expiresAt: timeOf(expiresAt),
  renewalLeewayHours: null,
  duration,
  maxActivations,
  ...holdsBy(license, { revokedFor: null, suspendedFor: [] }, new Date(0)),
});

/** A license before a purchase takes it over. Pure. */
export const formerOf = (
  { planId, expiresAt, duration, maxActivations }: LicenseEntity,
  { wasUnpaid, turn }: Pick<FormerLicense, 'wasUnpaid' | 'turn'>,
): FormerLicense => ({
  planId,
  expiresAt: expiresAt?.toISOString() ?? null,
  duration,
  maxActivations,
  wasUnpaid,
  turn,
});

/** The seats that the tenant gave a license; those that several units bought are no gift. Pure. */
export const seatsGiven = (
  { maxActivations }: Pick<LicenseEntity, 'maxActivations'>,
  holder: { readonly units: number } | undefined,
): number | null => ((holder?.units ?? 1) > 1 ? null : maxActivations);

function endOfSale({ purchasedAt }: PaymentRecord, plan: SoldPlan | null, former: FormerLicense | null): Date | null {
  if (former !== null) return timeOf(former.expiresAt);
  return purchasedAt === null ? null : endOfDuration(new Date(purchasedAt), plan?.duration ?? null);
}

/** The tenant's own suspension and revocation stay. */
function holdsBy(
  { revokedAt, revokedFor, suspendedFor }: LicenseEntity,
  payments: Pick<Entitlement, 'revokedFor' | 'suspendedFor'>,
  now: Date,
): LicenseChange {
  const own = suspendedFor.filter((cause) => cause === 'tenant');
  const cause: Revocation | null = revokedFor === 'tenant' ? revokedFor : payments.revokedFor;
  return {
    suspendedFor: [...own, ...payments.suspendedFor],
    revokedFor: cause,
    revokedAt: cause === null ? null : (revokedAt ?? now),
  };
}

const timeOf = (text: string | null): Date | null => (text === null ? null : new Date(text));
