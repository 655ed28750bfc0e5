import { DAY_MS, HOUR_MS } from '../../common/system/index.js';

/** What can happen to a license, in the order in which kinds are shown. */
export const LICENSE_EVENTS = [
  'license.issued',
  'license.activated',
  'license.seat_refused',
  'license.seat_freed',
  'license.suspended',
  'license.reinstated',
  'license.revoked',
  'license.expiring',
  'license.expired',
  'license.renewed',
  'license.code_resent',
] as const;
export type LicenseEventKind = (typeof LICENSE_EVENTS)[number];

/** Who or what caused an event: payments, a person, or time. */
export const LICENSE_EVENT_REASONS = [
  'tenant',
  'import',
  'payment',
  'dispute',
  'refund',
  'device',
  'buyer',
  'idle',
  'erasure',
] as const;
export type LicenseEventReason = (typeof LICENSE_EVENT_REASONS)[number];

/** One fact about a license, which is told once. */
export interface LicenseFact {
  readonly kind: LicenseEventKind;
  readonly licenseId: string;
  /** Null where there is only one cause. */
  readonly reason: LicenseEventReason | null;
  /** Keeps a fact that comes again and again from being told each time. */
  readonly onceKey?: string;
}

/** The columns of a license that events follow from. */
export interface ToldColumns {
  readonly revokedAt: Date | null;
  readonly revokedFor: 'tenant' | 'refund' | 'dispute' | null;
  readonly suspendedFor: readonly ('tenant' | 'dispute' | 'payment')[];
  readonly expiresAt: Date | null;
}

type Told = Pick<LicenseFact, 'kind' | 'reason'>;

/** How long before its end a license is said to expire. */
export const EXPIRING_MS = 7 * DAY_MS;

/** What a new license is told as. */
export const toldOfNew = (source: string): Told => ({
  kind: 'license.issued',
  reason: source === 'manual' ? 'tenant' : source.startsWith('import:') ? 'import' : 'payment',
});

/**
 * Decides which events a change causes: one when the license becomes revoked, suspended or free, and `license.renewed` when its end is later. A second
 * reason for a suspension, an earlier end and a first end cause none.
 * @param by who makes the change
 * @param isPaid false when a payment failed, and the later end only waits for it
 */
export function toldOfChange(
  before: ToldColumns,
  after: ToldColumns,
  by: 'tenant' | 'payment',
  isPaid = true,
): readonly Told[] {
  const [held, holds] = [holdOf(before), holdOf(after)];
  const isLater = before.expiresAt !== null && (after.expiresAt === null || after.expiresAt > before.expiresAt);
  return [
    ...(held === holds ? [] : [toldOfHold(holds, after, by)]),
    ...(isLater && isPaid ? [{ kind: 'license.renewed', reason: by } as const] : []),
  ];
}

type Hold = 'revoked' | 'suspended' | 'free';

const holdOf = ({ revokedAt, suspendedFor }: ToldColumns): Hold =>
  revokedAt !== null ? 'revoked' : suspendedFor.length > 0 ? 'suspended' : 'free';

function toldOfHold(hold: Hold, { revokedFor, suspendedFor }: ToldColumns, by: 'tenant' | 'payment'): Told {
  if (hold === 'revoked') return { kind: 'license.revoked', reason: revokedFor };
  if (hold === 'free') return { kind: 'license.reinstated', reason: by };
  return { kind: 'license.suspended', reason: suspendedFor.at(-1) ?? null };
}

/** The end of a license, and when an event about that end is due. */
export interface ExpiryPlan {
  readonly expiresAt: Date | null;
  /** Null when everything about this end has been told. */
  readonly expiryEventAt: Date | null;
}

/** When the first event about the end of a new license is due. One that is issued after its end says so in `license.issued`. */
export const firstExpiryEvent = (expiresAt: Date | null, now: Date): Date | null =>
  expiresAt === null || expiresAt <= now ? null : eventBefore(expiresAt, now);

/** When the next event about a license's end is due, once that end has changed. An end in the past of a license that had expired is not told again. */
export function nextExpiryEvent(before: ExpiryPlan, expiresAt: Date | null, now: Date): Date | null {
  if (expiresAt?.getTime() === before.expiresAt?.getTime()) return before.expiryEventAt;
  if (expiresAt === null) return null;
  const hadExpired = before.expiresAt !== null && before.expiresAt <= now;
  return hadExpired && expiresAt <= now ? before.expiryEventAt : eventBefore(expiresAt, now);
}

/** Seven days before the end; at the end when that is nearer. */
function eventBefore(expiresAt: Date, now: Date): Date {
  const early = new Date(expiresAt.getTime() - EXPIRING_MS);
  return early > now ? early : expiresAt;
}

/** Returns the event about a license's end that is due, and when the next one is. A revoked license has none. */
export function dueExpiryEvent(
  { expiresAt, expiryEventAt, revokedAt }: ExpiryPlan & Pick<ToldColumns, 'revokedAt'>,
  now: Date,
): { readonly told: Told | null; readonly next: Date | null } {
  if (expiresAt === null || expiryEventAt === null || expiryEventAt > now) return { told: null, next: expiryEventAt };
  const hasExpired = expiresAt <= now;
  const kind = hasExpired ? 'license.expired' : 'license.expiring';
  return { told: revokedAt === null ? { kind, reason: null } : null, next: hasExpired ? null : expiresAt };
}

/** A device that finds no free seat tries again and again: its tenant is told once in each hour of the clock, for all devices of the license. */
export const refusalKey = (licenseId: string, now: Date): string =>
  `license.seat_refused:${licenseId}:${Math.floor(now.getTime() / HOUR_MS)}`;
