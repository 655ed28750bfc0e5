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
