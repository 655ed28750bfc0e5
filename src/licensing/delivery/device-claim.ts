import { createHmac, timingSafeEqual } from 'node:crypto';
import { bytesOfOwnClaim, ownClaim } from '../../common/fields/pure.js';

/** Random bytes that distinguish the claims of a device. */
export const CLAIM_RANDOM_BYTES = 12;
const TIME_BYTES = 4;
const MAC_BYTES = 16;
const HEAD_BYTES = TIME_BYTES + CLAIM_RANDOM_BYTES;

/** A device that may claim what its token is good for, until a time. */
export interface DeviceClaim {
  /** SHA-256 of extension and fingerprint. */
  readonly device: Buffer;
  readonly until: Date;
}

/**
 * Writes a claim token that only one device can use: a time and random bytes, with a MAC over them and the device. Nothing needs to be stored for it,
 * so that no flood of them fills the database. Pure.
 * @param random CLAIM_RANDOM_BYTES from a cryptographic source
 */
export function writeDeviceClaim(secret: string, { device, until }: DeviceClaim, random: Uint8Array): string {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(Math.floor(until.getTime() / 1000));
  head.set(random.subarray(0, CLAIM_RANDOM_BYTES), TIME_BYTES);
  return ownClaim('token', Buffer.concat([head, macOf(secret, head, device)]).toString('base64url'));
}

/** Whether a claim token is a device's own, and still good. Pure. */
export function isClaimOf(secret: string, token: string, device: Buffer, now: Date): boolean {
  const bytes = bytesOfOwnClaim(token);
  if (bytes?.length !== HEAD_BYTES + MAC_BYTES) return false;
  const head = bytes.subarray(0, HEAD_BYTES);
  const isOwn = timingSafeEqual(bytes.subarray(HEAD_BYTES), macOf(secret, head, device));
  return isOwn && head.readUInt32BE() * 1000 > now.getTime();
}

const macOf = (secret: string, head: Buffer, device: Buffer): Buffer =>
  createHmac('sha256', secret).update('device-claim\n').update(head).update(device).digest().subarray(0, MAC_BYTES);
