import { DAY_MS, HOUR_MS } from '../../common/system/index.js';

/** Units of a term. */
export const TERM_UNITS = ['days', 'months', 'years'] as const;
export type TermUnit = (typeof TERM_UNITS)[number];

/** A length of time on the calendar. */
export interface Term {
  readonly count: number;
  readonly unit: TermUnit;
}

/**
 * The new end of a license: a term after its end, or after now when it has ended. Pure.
 * A month that lacks the day ends on its last one: a month after 31 January is 28 or 29 February.
 */
export function extendedBy(expiresAt: Date, { count, unit }: Term, now: Date): Date {
  const end = new Date(Math.max(expiresAt.getTime(), now.getTime()));
  if (unit === 'days') {
    end.setUTCDate(end.getUTCDate() + count);
    return end;
  }
  const day = end.getUTCDate();
  end.setUTCDate(1);
  end.setUTCMonth(end.getUTCMonth() + count * (unit === 'years' ? 12 : 1));
  end.setUTCDate(Math.min(day, daysIn(end)));
  return end;
}

const daysIn = (month: Date): number =>
  new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 0)).getUTCDate();

/** Beginnings of a plan's duration: when the license is issued or sold, or when the first device activates it. */
export const DURATION_STARTS = ['issue', 'activation'] as const;
export type DurationStart = (typeof DURATION_STARTS)[number];

/** What the end of a license means: it expires, or it is maintained, and still counts for versions that were released before. */
export const ON_END = ['expire', 'maintain'] as const;
export type OnEnd = (typeof ON_END)[number];

/** The terms of a plan about the end of its licenses. Each license keeps those under which it was issued. */
export interface EndTerms {
  /** In ISO 8601; null for ever. */
  readonly duration: string | null;
  readonly durationFrom: DurationStart;
  /** Days that a license goes on after its end. */
  readonly graceDays: number;
  readonly onEnd: OnEnd;
  /** Hours that a license goes on after its paid end while its processor has not spoken; null for the operator's number. */
  readonly renewalLeewayHours: number | null;
}

/** Days before the end of a license on which its buyer may get a mail. */
export const NOTICE_DAYS = [30, 7, 1] as const;
export type NoticeDays = (typeof NOTICE_DAYS)[number];

/** The end of a license; the duration instead while that waits for the first activation. */
export interface LicenseTerm {
  readonly expiresAt: Date | null;
  readonly duration: string | null;
}

/** A term in ISO 8601, as plans have it. */
export const DURATION = /^P([1-9]\d{0,2})([DMY])$/;
const UNIT_OF = { D: 'days', M: 'months', Y: 'years' } as const;

/** When a license ends that begins at a time and lasts for a plan's duration; null for ever. Pure. */
export function endOfDuration(from: Date, duration: string | null): Date | null {
  const [, count, unit] = DURATION.exec(duration ?? '') ?? [];
  return count === undefined
    ? null
    : extendedBy(from, { count: Number(count), unit: UNIT_OF[unit as keyof typeof UNIT_OF] }, from);
}

/** The term of a license that is issued or sold at a time, by its plan. Pure. */
export const termOf = (
  { duration, durationFrom }: Pick<EndTerms, 'duration' | 'durationFrom'>,
  from: Date,
): LicenseTerm =>
  durationFrom === 'activation'
    ? { expiresAt: null, duration }
    : { expiresAt: endOfDuration(from, duration), duration: null };

/** The end of a license. */
export interface LicenseEnd {
  /** Null means never. */
  readonly expiresAt: Date | null;
  /** Days that it goes on after that. */
  readonly graceDays: number;
  readonly onEnd: OnEnd;
  /** Hours that it goes on after that because its subscription renews, unless the processor says otherwise; null where nothing renews it. */
  readonly renewalLeewayHours: number | null;
}

/**
 * From when a license has expired: after its days of grace, or the leeway of its renewal, whichever is later. Null for one without an end, and
 * for one that is maintained. Pure; the same in SQL: `EXPIRED_FROM`.
 */
export function expiredFrom({ expiresAt, graceDays, onEnd, renewalLeewayHours }: LicenseEnd): Date | null {
  if (expiresAt === null || onEnd === 'maintain') return null;
  return new Date(expiresAt.getTime() + Math.max(graceDays * DAY_MS, (renewalLeewayHours ?? 0) * HOUR_MS));
}

/** What is shown of the renewal of a license. */
export interface Renewal {
  readonly renews: boolean;
  /** Its paid end; null where nothing renews it. */
  readonly renewsAt: Date | null;
}

/** Whether a subscription renews a license, and when. Pure. */
export function renewalOf({
  expiresAt,
  renewalLeewayHours,
}: Pick<LicenseEnd, 'expiresAt' | 'renewalLeewayHours'>): Renewal {
  const renews = renewalLeewayHours !== null && expiresAt !== null;
  return { renews, renewsAt: renews ? expiresAt : null };
}
