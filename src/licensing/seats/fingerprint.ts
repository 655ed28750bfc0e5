import { hash } from 'node:crypto';

/**
 * What a device is kept as. The extension is part of it, so that one device cannot be followed from one extension to another, and a
 * device is found by one statement before its license is known.
 */
export const fingerprintDigest = (extensionId: string, fingerprint: string): Buffer =>
  hash('sha256', `${extensionId}\n${fingerprint}`, 'buffer');

/** What a lease says of a device: the client computes the same and so knows that the lease is its own. */
export const fingerprintHash = (fingerprint: string): string => hash('sha256', fingerprint, 'base64url');
