import { hash } from 'node:crypto';

/**
 * The digest under which a device is stored. It includes the extension, so that a device cannot be tracked across extensions, and not
 * the license, so that one statement finds both.
 */
export const fingerprintDigest = (extensionId: string, fingerprint: string): Buffer =>
  hash('sha256', `${extensionId}\n${fingerprint}`, 'buffer');

/** The name under which an advisory lock keeps a seat and a trial of one device from being decided at once. */
export const deviceLock = (device: Buffer): string => `device ${device.toString('base64url')}`;

/** The digest of a device in a lease: the client computes the same, and so knows that the lease is its own. */
export const fingerprintHash = (fingerprint: string): string => hash('sha256', fingerprint, 'base64url');
