const DAY_MS = 24 * 60 * 60 * 1000;
/** The two forms of HTTP-date that name their zone (RFC 9110 5.6.7); `Date.parse` alone would take "-1" for a year. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, \d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * The moment a `Retry-After` header names, in seconds or as a date (RFC 9110 10.2.3): never before `now`, at most 24 h
 * after it. `undefined` when there is no header or it says nothing readable.
 */
export function parseRetryAfter(header: string | null | undefined, now: Date): Date | undefined {
  const text = header?.trim() ?? '';
  const waitMs = /^\d+$/.test(text)
    ? Number(text) * 1000
    : HTTP_DATE.test(text)
      ? Date.parse(text) - now.getTime()
      : NaN;
  if (Number.isNaN(waitMs)) return undefined;
  return new Date(now.getTime() + Math.min(Math.max(waitMs, 0), DAY_MS));
}
