import { createHash } from 'node:crypto';

const DIGITS = 4;

/**
 * The number by which a person recognizes that a link is for the device in front of them: the device and the page of the link show it. Pure.
 * @param tokenDigest the digest of the device's claim token
 */
export const restoreNumber = (tokenDigest: string): string =>
  String(createHash('sha256').update(`restore ${tokenDigest}`).digest().readUInt32BE() % 10 ** DIGITS).padStart(
    DIGITS,
    '0',
  );
