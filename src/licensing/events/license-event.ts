import { DAY_MS, HOUR_MS } from '../../common/system/index.js';
import { expiredFrom, NOTICE_DAYS, type LicenseEnd, type NoticeDays } from '../plans/pure.js';

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
  'license.trial_started',
  'license.trial_ended',
  'license.code_resent',
] as const;
export type LicenseEventKind = (typeof LICENSE_EVENTS)[number];
/** What can happen to a trial, which is no license yet. */
export type TrialEventKind = Extract<LicenseEventKind, `license.trial_${string}`>;

/** Who or what caused an event: payments, a person, or time. */
export const LICENSE_EVENT_REASONS = [
  'tenant',
  'import',
  'payment',
  'dispute',
  'refund',
  'device',
  'buyer',
  'member',
  'idle',
  'erasure',
  'converted',
  'time',
] as const;
export type LicenseEventReason = (typeof LICENSE_EVENT_REASONS)[number];

/** One fact about a license, which is told once. */
export interface LicenseFact {
  readonly kind: Exclude<LicenseEventKind, TrialEventKind>;
  readonly licenseId: string;
  /** Null where there is only one cause. */
  readonly reason: LicenseEventReason | null;
  /** Keeps a fact that comes again and again from being told each time. */
  readonly onceKey?: string;
}

/** One fact about a trial, which is told once. */
export interface TrialFact {
  readonly kind: TrialEventKind;
  readonly trialId: string;
  /** Null for its start. */
  readonly reason: LicenseEventReason | null;
}

/** A fact about a license or a trial. */
export type ToldFact = LicenseFact | TrialFact;

/** The columns of a license that events follow from. */
export interface ToldColumns {
  readonly revokedAt: Date | null;
  readonly revokedFor: 'tenant' | 'refund' | 'dispute' | null;
  readonly suspendedFor: readonly ('tenant' | 'dispute' | 'payment')[];
  readonly expiresAt: Date | null;
}

type Told = Pick<LicenseFact, 'kind' | 'reason'>;

/** What a new license is told as. @param isImported said of one whose source does not: a line without an order */
export const toldOfNew = (source: string, isImported = source.startsWith('import:')): Told => ({
  kind: 'license.issued',
  reason: isImported ? 'import' : /^(manual$|batch:)/.test(source) ? 'tenant' : 'payment',
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

/** The end of a license, and when something about it is due. */
export interface EndPlan extends LicenseEnd {
  /** Null when everything about this end has been said. */
  readonly expiryEventAt: Date | null;
}

/** Days before the end of a license on which its tenant is told that it expires. */
const EXPIRING_DAYS = 7 satisfies NoticeDays;

interface Moment {
  readonly at: Date;
  /** Before its end; null when it has expired. */
  readonly days: NoticeDays | null;
}

/** The moments at which something about the end of a license is due, in their order. One that renews does not end before its leeway does. */
function momentsOf(license: LicenseEnd): readonly Moment[] {
  const { expiresAt, renewalLeewayHours } = license;
  if (expiresAt === null) return [];
  const days = renewalLeewayHours === null ? NOTICE_DAYS : [];
  const before = days.map((some) => ({ at: new Date(expiresAt.getTime() - some * DAY_MS), days: some }));
  const expired = expiredFrom(license);
  return expired === null ? before : [...before, { at: expired, days: null }];
}

/** When something about the end of a new license is first due. One that is issued after its end says so in `license.issued`. */
export const firstEndMoment = (license: LicenseEnd, now: Date): Date | null =>
  momentsOf(license).find(({ at }) => at > now)?.at ?? null;

const isSameTime = (one: Date | null, other: Date | null): boolean => one?.getTime() === other?.getTime();

/** When something about a license's end is next due, once that end has changed. An end in the past of a license that had expired is not told again. */
export function nextEndMoment(before: EndPlan, after: LicenseEnd, now: Date): Date | null {
  const isSame = isSameTime(after.expiresAt, before.expiresAt);
  const renewal = [before, after].map(({ renewalLeewayHours }) => renewalLeewayHours !== null);
  const [was, is] = [expiredFrom(before), expiredFrom(after)];
  if (isSame && renewal[0] === renewal[1] && isSameTime(was, is)) return before.expiryEventAt;
  if (is !== null && is <= now) return was !== null && was <= now ? before.expiryEventAt : is;
  const isCancelled = isSame && renewal[0] === true && renewal[1] === false;
  if (!isCancelled) return firstEndMoment(after, now);
  // It ends after all, which nobody has been told yet.
  return momentsOf(after).find(({ at, days }) => at > now || days === EXPIRING_DAYS)?.at ?? null;
}

/**
 * Returns what about a license's end is due, and when something is next. A revoked license has no event.
 * @param isRenewing a subscription renews it before its end, which is therefore not announced
 */
export function dueAtEnd(
  license: EndPlan & Pick<ToldColumns, 'revokedAt'>,
  now: Date,
  isRenewing: boolean,
): { readonly told: Told | null; readonly notices: readonly NoticeDays[]; readonly next: Date | null } {
  const { expiryEventAt, expiresAt, revokedAt } = license;
  if (expiryEventAt === null || expiresAt === null || expiryEventAt > now)
    return { told: null, notices: [], next: expiryEventAt };
  const days = momentsOf(license).flatMap((one) => (one.at >= expiryEventAt && one.at <= now ? [one.days] : []));
  const isExpiring = days.includes(EXPIRING_DAYS) && !isRenewing;
  const kind = days.includes(null) ? 'license.expired' : isExpiring ? 'license.expiring' : null;
  return {
    told: kind === null || revokedAt !== null ? null : { kind, reason: null },
    notices: expiresAt > now && !isRenewing ? days.filter((one) => one !== null) : [],
    next: firstEndMoment(license, now),
  };
}

/** A device that finds no free seat tries again and again: its tenant is told once in each hour of the clock, for all devices of the license. */
export const refusalKey = (licenseId: string, now: Date): string =>
  `license.seat_refused:${licenseId}:${Math.floor(now.getTime() / HOUR_MS)}`;
