import { createHmac, timingSafeEqual } from 'node:crypto';
import { secondOf } from '../common/system/index.js';

/** A request as received. */
export interface SignedRequest {
  /** Every value of each header, by the header's name in lower case (Node's `headersDistinct`). */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
  /** The bytes that were signed. */
  readonly body: Buffer;
}

/** A secret that may have signed a request. */
export interface SigningSecret {
  readonly webhookSecret: string;
}

/** The signature of a request, as its headers carry it. */
export interface Signature {
  /** In Unix seconds, unparsed; null where the processor signs no time. */
  readonly time: string | null;
  /** The text that is signed before the body. */
  readonly prefix: string;
  /** One for each secret that signed. */
  readonly macs: readonly Buffer[];
}

/** Largest difference between the time of a signature and ours, in either direction: src/payments/README.md#signatures */
export const TOLERANCE_SECONDS = 300;
/** Shorter secrets are refused when they are saved and when they are used: with an empty secret, anyone can sign. */
export const MIN_SECRET_LENGTH = 6;

/** The value of a header; `undefined` when it is missing, or was sent twice, which no processor does. */
export function onlyHeader({ headers }: SignedRequest, name: string): string | undefined {
  const values = headers[name];
  return values?.length === 1 ? values[0] : undefined;
}

/** Whether a time in Unix seconds is within the tolerance. */
export function isFresh(seconds: string, now: Date): boolean {
  if (!/^\d{1,12}$/.test(seconds)) return false;
  return Math.abs(secondOf(now.getTime()) - Number(seconds)) <= TOLERANCE_SECONDS;
}

/** HMAC-SHA-256 over the parts, one after the other. */
export function hmac(key: string | Buffer, ...parts: readonly (string | Buffer)[]): Buffer {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest();
}

/** MACs written in hex; what does not have SHA-256's length is left out. */
export function macsInHex(texts: readonly string[]): readonly Buffer[] {
  return texts.filter((text) => /^[0-9a-f]{64}$/i.test(text)).map((text) => Buffer.from(text, 'hex'));
}

/**
 * Reads a signature of `name=value` parts, as Stripe and Paddle write it: one time, and a MAC in hex for each secret.
 * @param names what the parts with the time and with the MACs are called
 */
export function readPairs(
  header: string,
  separator: string,
  names: { readonly time: string; readonly mac: string },
): (Pick<Signature, 'macs'> & { readonly time: string }) | null {
  const parts = header.split(separator).map((part) => part.split(/=(.*)/s, 2).map((text) => text.trim()));
  const valuesOf = (wanted: string): readonly string[] =>
    parts.flatMap(([name, value]) => (name === wanted && value !== undefined ? [value] : []));
  const [time, ...others] = valuesOf(names.time);
  return time === undefined || others.length > 0 ? null : { time, macs: macsInHex(valuesOf(names.mac)) };
}

/**
 * The secrets that made one of the MACs. Every secret is tried against every MAC, in a time that does not reveal which one matched.
 * @param given the MACs of the request
 * @param macsOf the MACs that a secret makes of the same bytes, one for each key that its processor may derive
 */
export function signersAmong<Secret extends SigningSecret>(
  secrets: readonly Secret[],
  given: readonly Buffer[],
  macsOf: (secret: string) => readonly Buffer[],
): readonly Secret[] {
  return secrets.filter(({ webhookSecret }) => {
    let isSigner = false;
    for (const own of macsOf(webhookSecret)) for (const mac of given) if (areEqualMacs(own, mac)) isSigner = true;
    return isSigner && webhookSecret.trim().length >= MIN_SECRET_LENGTH;
  });
}

const areEqualMacs = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other);
