import { createHmac, timingSafeEqual } from 'node:crypto';

/** A request as it came over the wire. */
export interface SignedRequest {
  /** Every value of each header, by its name in lower case (Node's `headersDistinct`). */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
  /** The bytes that were signed. */
  readonly body: Buffer;
}

/** A secret that may have signed a request. */
export interface SigningSecret {
  readonly webhookSecret: string;
}

/** How far the time of a signature may lie from ours, in either direction (facts: payments C1). */
export const TOLERANCE_SECONDS = 300;
/** Shorter ones are refused when saved and when verified: with an empty secret anyone can sign. */
export const SHORTEST_SECRET = 6;

/** The header's value; `undefined` when it is missing, and when it was sent twice, which no processor does. */
export function onlyHeader({ headers }: SignedRequest, name: string): string | undefined {
  const values = headers[name];
  return values?.length === 1 ? values[0] : undefined;
}

/** Whether a time in Unix seconds, as a header writes it, is within the tolerance. */
export function isFresh(seconds: string | undefined, now: Date): boolean {
  if (seconds === undefined || !/^\d{1,12}$/.test(seconds)) return false;
  return Math.abs(Math.floor(now.getTime() / 1000) - Number(seconds)) <= TOLERANCE_SECONDS;
}

/** HMAC-SHA-256 over the parts, one after the other. */
export function hmac(key: string | Buffer, ...parts: readonly (string | Buffer)[]): Buffer {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest();
}

/** A MAC written in hex; none when it is not of SHA-256's length. */
export function macsInHex(texts: readonly string[]): readonly Buffer[] {
  return texts.filter((text) => /^[0-9a-f]{64}$/i.test(text)).map((text) => Buffer.from(text, 'hex'));
}

/** `name=value` parts of a header's value, those without a name left out. */
export function pairsOf(value: string, separator: string): readonly (readonly [string, string])[] {
  return value.split(separator).flatMap((part) => {
    const at = part.indexOf('=');
    return at < 1 ? [] : [[part.slice(0, at).trim(), part.slice(at + 1).trim()] as const];
  });
}

/**
 * The secrets that made one of the MACs. Every secret is tried against every MAC, in a time that does not tell which fitted.
 * @param given the MACs of the request
 * @param macsOf what a secret would have made of the same bytes, in each way in which its processor derives a key
 */
export function signersAmong<Secret extends SigningSecret>(
  secrets: readonly Secret[],
  given: readonly Buffer[],
  macsOf: (secret: string) => readonly Buffer[],
): readonly Secret[] {
  return secrets.filter(({ webhookSecret }) => {
    let isSigner = false;
    for (const own of macsOf(webhookSecret)) for (const mac of given) if (isSame(own, mac)) isSigner = true;
    return isSigner && webhookSecret.trim().length >= SHORTEST_SECRET;
  });
}

const isSame = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other);
