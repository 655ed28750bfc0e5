import { DAY_MS } from '../../common/system/index.js';

/** Days before the expiry at which a tenant is warned, last warning first. */
export const CREDENTIAL_WARNINGS = [1, 7, 14] as const;
export const TOKEN_WARNINGS = [3, 14] as const;

/** Period that the warnings cover. */
export const HORIZON_MS = Math.max(...CREDENTIAL_WARNINGS, ...TOKEN_WARNINGS) * DAY_MS;

/** The threshold in days of the warning that is due; null when it is too early for any, or too late. Pure. */
export function warningDue(thresholds: readonly number[], expiresAt: Date, now: Date): number | null {
  const left = expiresAt.getTime() - now.getTime();
  return left <= 0 ? null : (thresholds.find((days) => left <= days * DAY_MS) ?? null);
}

/** The text of a warning about a credential. Pure. */
export const credentialWarning = (store: string, name: string, expiresAt: Date, now: Date): string =>
  `${store}: the credential ${name} expires ${when(expiresAt, now)}. Rotate it before that, or publishing stops.`;

/** The text of a warning about an access token. Pure. */
export const tokenWarning = (name: string, lastFour: string, expiresAt: Date, now: Date): string =>
  `The access token “${name}” (…${lastFour}) expires ${when(expiresAt, now)}. Replace it before that.`;

function when(expiresAt: Date, now: Date): string {
  const days = Math.ceil((expiresAt.getTime() - now.getTime()) / DAY_MS);
  return `${days <= 1 ? 'within a day' : `in ${days} days`}, on ${expiresAt.toISOString().slice(0, 10)}`;
}
