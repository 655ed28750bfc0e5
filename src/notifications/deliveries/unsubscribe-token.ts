import { createHmac, timingSafeEqual } from 'node:crypto';

/** An endpoint with the address that its mails go to. */
export interface Subscription {
  readonly endpointId: string;
  readonly address: string;
}

/** The path of the page that stops mails, without the leading slash. */
export const UNSUBSCRIBE_PATH = 'notifications/unsubscribe';

const TOKEN = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.([\w-]{43})$/;

/** Writes the token of a link that stops the mails of an endpoint to its present address. It does not expire, as the mails stay. Pure. */
export const unsubscribeToken = (secret: string, { endpointId, address }: Subscription): string =>
  `${endpointId}.${macOf(secret, endpointId, address).toString('base64url')}`;

/** Returns the endpoint that a token is about, unproven; null when the token is none. Pure. */
export const endpointIn = (token: unknown): string | null =>
  typeof token === 'string' ? (TOKEN.exec(token)?.[1] ?? null) : null;

/** Whether a token was written for this endpoint and address. Pure. */
export function isTokenOf(secret: string, token: string, { endpointId, address }: Subscription): boolean {
  const mac = Buffer.from(TOKEN.exec(token)?.[2] ?? '', 'base64url');
  const right = macOf(secret, endpointId, address);
  return mac.length === right.length && timingSafeEqual(mac, right) && endpointIn(token) === endpointId;
}

const macOf = (secret: string, endpointId: string, address: string): Buffer =>
  createHmac('sha256', secret).update(`unsubscribe\n${endpointId}\n${address}`).digest();
