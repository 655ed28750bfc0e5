import { OWN_CLAIMS } from '../../common/fields/pure.js';
import { claimDigest } from '../../licensing/pure.js';
import type { Payload } from '../../payments/index.js';

/**
 * Replaces each claim token by its digest, wherever a processor repeats the data of the checkout, so that no token is stored; also those of the
 * service's own, which some processors carry under a name of theirs. Pure.
 */
export const hideClaimToken = (payload: Payload): Payload => hidden(payload) as Payload;

function hidden(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hidden);
  if (typeof value === 'string') return value.replaceAll(OWN_CLAIMS, (token) => claimDigest(token) ?? '');
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name !== 'claimToken' ? hidden(inner) : typeof inner === 'string' ? claimDigest(inner) : null,
    ]),
  );
}
