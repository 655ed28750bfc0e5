import { eventNameOf, idOf, timeOf, type Payload } from './payload.js';
import type { PaymentEvent } from './processor.js';
import { onlyHeader, type Signature, type SignedRequest } from './signatures.js';

/** The header of the signatures of Standard Webhooks (https://www.standardwebhooks.com/), which several processors send. */
export const STANDARD_SIGNATURE = 'webhook-signature';
const [ID, TIMESTAMP] = ['webhook-id', 'webhook-timestamp'] as const;
const MAC_BYTES = 32;
const MIN_KEY_BYTES = 16;

/** What {@link standardKeyOf} makes a key of: base64 of at least 16 bytes whose last symbol has no bit too many. */
export const STANDARD_SECRET =
  /^(?:whsec_)?(?=[A-Za-z0-9+/]{22})(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048])?={0,2}$/;

/** Reads a signature of Standard Webhooks; null when it is malformed. */
export function readStandardSignature(request: SignedRequest): Signature | null {
  const [id, time] = [onlyHeader(request, ID), onlyHeader(request, TIMESTAMP)];
  if (id === undefined || id === '' || time === undefined) return null;
  return { time, prefix: `${id}.${time}.`, macs: macsIn(onlyHeader(request, STANDARD_SIGNATURE) ?? '') };
}

const withoutPadding = (base64: string): string => base64.replace(/={1,2}$/, '');

/** The key that the standard decodes from what follows `whsec_`; none when that is not base64, or too short. */
export function standardKeyOf(secret: string): readonly Buffer[] {
  const encoded = secret.replace(/^whsec_/, '');
  const key = Buffer.from(encoded, 'base64');
  const isExact = withoutPadding(key.toString('base64')) === withoutPadding(encoded);
  return isExact && key.length >= MIN_KEY_BYTES ? [key] : [];
}

/** Reads the envelope that the standard recommends. The header names the event, the same in every delivery. */
export const readStandardEvent = (payload: Payload, request: SignedRequest, now: Date): PaymentEvent => ({
  key: idOf(onlyHeader(request, ID)) ?? '',
  name: eventNameOf(payload['type']),
  at: timeOf(payload['timestamp']) ?? now,
  isTest: false,
  payload,
});

/** The MACs of version 1 in a list separated by blanks; `v1a` belongs to another kind of key. */
function macsIn(value: string): readonly Buffer[] {
  return value
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .map((part) => Buffer.from(part.slice(3), 'base64'))
    .filter((mac) => mac.length === MAC_BYTES);
}
