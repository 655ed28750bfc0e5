import type { LicenseState, Revocation } from '../../licensing/pure.js';
import { type BoughtPart, entitlementOf, type PaymentRecord, takenBackAt } from '../ledger/index.js';

/** How a purchase came to a license: it made it, its buyer came back to it, or it upgraded it. */
export const ORIGINS = ['made', 'returned', 'upgraded'] as const;
export type Origin = (typeof ORIGINS)[number];

/** The turn of one purchase with a license. Several purchases of a buyer pay for one license, one after the other. Times are in ISO 8601. */
export interface Turn {
  /** Orders turns that were bought in the same moment. */
  readonly id: string;
  readonly origin: Origin;
  readonly boughtAt: string;
  /** Until when it is paid, without days of grace; null without end. */
  readonly until: string | null;
  /** Its money is back with the buyer, or disputed. */
  readonly isTakenBack: boolean;
}

/** Turns in the order in which they were bought. Pure. */
export const inOrder = <T extends Turn>(turns: readonly T[]): readonly T[] =>
  turns.toSorted((one, other) => (`${one.boughtAt} ${one.id}` < `${other.boughtAt} ${other.id}` ? -1 : 1));

/**
 * Whose payments a license follows: those of the last purchase whose money the seller has. Pure.
 * @param wasUnpaid no purchase made the license, so that it can do without one
 * @returns null when it is as it was before the first of them
 */
export function holderOf<T extends Turn>(turns: readonly T[], wasUnpaid: boolean): T | null {
  const order = inOrder(turns);
  return order.findLast(({ isTakenBack }) => !isTakenBack) ?? (wasUnpaid ? null : (order.at(-1) ?? null));
}

/**
 * Whether a purchase can have its turn with a license although nothing names the license: they do not overlap. Pure.
 * @param end when the license ends now, without days of grace
 */
export function fits(own: Turn, turns: readonly Turn[], end: string | null): boolean {
  const order = inOrder([...turns, own]);
  const [former, next] = [order[order.indexOf(own) - 1], order[order.indexOf(own) + 1]];
  if (next === undefined) return isBy(end, own.boughtAt);
  return isBy(own.until, next.boughtAt) && (former === undefined || isBy(former.until, own.boughtAt));
}

/** The turn after one of some turns; null for the last. Pure. */
export function nextOf<T extends Turn>(own: T, turns: readonly T[]): T | null {
  const order = inOrder(turns);
  return order[order.indexOf(own) + 1] ?? null;
}

/** Whether a purchase turns out to go on although another one took its license over when it seemed to be over. Pure. */
export function goesOn(own: Turn, turns: readonly Turn[]): boolean {
  const next = nextOf(own, turns);
  return next !== null && next.origin !== 'upgraded' && !isBy(own.until, next.boughtAt);
}

const isBy = (end: string | null, time: string): boolean => end !== null && end <= time;

/** A license with the turns that it has had. */
export interface Continuable {
  readonly id: string;
  readonly planId: string;
  readonly turns: readonly Turn[];
  readonly end: string | null;
}

/** The license that a purchase continues: one of its plan before others, then the one that ended last. Pure. @returns null for none */
export function continuedBy<C extends Continuable>(own: Turn, planId: string, licenses: readonly C[]): C | null {
  const rankOf = (one: C): string => `${one.planId === planId ? 1 : 0} ${one.end ?? ''} ${one.id}`;
  return (
    licenses
      .filter(({ turns, end }) => fits(own, turns, end))
      .toSorted((one, other) => (rankOf(one) > rankOf(other) ? -1 : 1))[0] ?? null
  );
}

/** What a purchase says of its turn, apart from its license. Pure. */
export function paidTurn(paid: PaymentRecord, part: BoughtPart): Pick<Turn, 'boughtAt' | 'until' | 'isTakenBack'> {
  const boughtAt = paid.purchasedAt ?? '';
  const { revokedFor, suspendedFor, expiresAt } = entitlementOf(paid, 0, part);
  const end = expiresAt?.toISOString() ?? null;
  const isTakenBack = revokedFor !== null || suspendedFor.includes('dispute') || (end !== null && end <= boughtAt);
  if (!isTakenBack) return { boughtAt, until: end, isTakenBack };
  const times = [end ?? boughtAt, takenBackAt(paid) ?? boughtAt].toSorted();
  return { boughtAt, until: times.at(-1) ?? null, isTakenBack };
}

/** The purchase of a license that has its turn now, with the license. */
interface Holding {
  readonly part: BoughtPart;
  readonly paid: PaymentRecord;
  /** The payments that the license follows already. */
  readonly applied: PaymentRecord;
  readonly license: Pick<LicenseState, 'revokedAt' | 'expiresAt'>;
  readonly graceDays: number;
}

/** The turn that a license is in: an end, or a life after a refund, that the tenant gave the license counts. Pure. */
export function heldTurn({ part, paid, applied, license, graceDays }: Holding): ReturnType<typeof paidTurn> {
  const turn = paidTurn(paid, part);
  const known = entitlementOf(applied, graceDays, part);
  const isReinstated = known.revokedFor !== null && license.revokedAt === null;
  const isChosenEnd = license.expiresAt?.getTime() !== known.expiresAt?.getTime();
  if (license.revokedAt !== null || (!isReinstated && !isChosenEnd)) return turn;
  return { ...turn, until: license.expiresAt?.toISOString() ?? null, isTakenBack: turn.isTakenBack && !isReinstated };
}

/** Whether the tenant, or a dispute, keeps a license as it is: nobody takes it over. Pure. */
export const isKept = ({
  revokedFor,
  suspendedFor,
}: Pick<LicenseState, 'suspendedFor'> & { readonly revokedFor: Revocation | null }): boolean =>
  revokedFor === 'tenant' || revokedFor === 'dispute' || suspendedFor.some((cause) => cause !== 'payment');
