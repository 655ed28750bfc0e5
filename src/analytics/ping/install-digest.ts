import { createHmac, hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../../common/config/index.js';

const KEY_BYTES = 32;

const keyFor = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `pierhead analytics: ${purpose}`, KEY_BYTES));

/**
 * Digests of installs and addresses. Their keys are derived from TOKEN_SECRET, so that nobody can try installIds against the digests of a
 * stolen database. With another TOKEN_SECRET, every install counts as new once.
 */
@Injectable()
export class InstallDigest {
  private readonly installs: Buffer;
  private readonly senders: Buffer;

  constructor({ tokenSecret }: Config) {
    this.installs = keyFor(tokenSecret, 'installs');
    this.senders = keyFor(tokenSecret, 'senders');
  }

  /** Returns 128 bits in the form of a UUID, different for each extension, so that installs cannot be linked across extensions. */
  installOf(extensionId: string, installId: string): string {
    const hex = createHmac('sha256', this.installs).update(`${extensionId}\0${installId}`).digest('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
  }

  /** Returns the digest of a sender on a day, for counting: it does not reveal the address, and changes daily. */
  senderOf(day: string, address: string, extensionId: string): Buffer {
    return createHmac('sha256', this.senders).update(`${day}\0${address}\0${extensionId}`).digest();
  }
}
