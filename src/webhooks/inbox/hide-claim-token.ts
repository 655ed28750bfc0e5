import { claimDigest } from '../../licensing/pure.js';
import type { Payload } from '../../payments/index.js';

/** Replaces each claim token by its digest, wherever a processor repeats the data of the checkout, so that no token is stored. Pure. */
export const hideClaimToken = (payload: Payload): Payload => hidden(payload) as Payload;

function hidden(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hidden);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name !== 'claimToken' ? hidden(inner) : typeof inner === 'string' ? claimDigest(inner) : null,
    ]),
  );
}
