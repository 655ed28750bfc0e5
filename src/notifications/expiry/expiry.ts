import { DAY_MS } from '../../common/system/index.js';

/** How many days ahead a tenant is warned, last warning first. */
const THRESHOLDS = [1, 7, 14] as const;

/** How far ahead warnings look. */
export const HORIZON_MS = Math.max(...THRESHOLDS) * DAY_MS;

/** The threshold in days of the warning that is due; null when it is too early for any, or too late. Pure. */
export function warningDue(expiresAt: Date, now: Date): number | null {
  const left = expiresAt.getTime() - now.getTime();
  return left <= 0 ? null : (THRESHOLDS.find((days) => left <= days * DAY_MS) ?? null);
}

/** The text of a warning. Pure. */
export function warningText(store: string, name: string, expiresAt: Date, now: Date): string {
  const days = Math.ceil((expiresAt.getTime() - now.getTime()) / DAY_MS);
  const when = days <= 1 ? 'within a day' : `in ${days} days`;
  return `${store}: the credential ${name} expires ${when}, on ${expiresAt.toISOString().slice(0, 10)}. Rotate it before that, or publishing stops.`;
}
