import { createHash } from 'node:crypto';

/**
 * What a device is kept as. The extension is part of it, so that one device cannot be followed from one extension to another, and a
 * device is found by one statement before its license is known.
 */
export const fingerprintDigest = (extensionId: string, fingerprint: string): Buffer =>
  createHash('sha256').update(`${extensionId}\n${fingerprint}`, 'utf8').digest();

/** What a lease says of a device: the client computes the same and so knows that the lease is its own. */
export const fingerprintHash = (fingerprint: string): string =>
  createHash('sha256').update(fingerprint, 'utf8').digest('base64url');
