import { DAY_MS, SECOND_MS } from '../system/index.js';

/** The two forms of HTTP-date that name their zone (RFC 9110 5.6.7); `Date.parse` alone would read "-1" as a year. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, \d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Reads a `Retry-After` header, in seconds or as a date (RFC 9110 10.2.3): never before `now`, at most 24 h after it; `undefined` when the
 * header is missing or unreadable.
 */
export function parseRetryAfter(header: string | null | undefined, now: Date): Date | undefined {
  const text = header?.trim() ?? '';
  const waitMs = /^\d+$/.test(text)
    ? Number(text) * SECOND_MS
    : HTTP_DATE.test(text)
      ? Date.parse(text) - now.getTime()
      : NaN;
  if (Number.isNaN(waitMs)) return undefined;
  return new Date(now.getTime() + Math.min(Math.max(waitMs, 0), DAY_MS));
}
