import { Injectable } from '@nestjs/common';
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose';
import { Config } from '../config/index.js';

/** Sealed text was made under a key that is not configured, or was tampered with. */
export class CannotUnseal extends Error {
  override readonly name = 'CannotUnseal';
}

/**
 * Seals secrets at rest: JWE, direct encryption with AES-256-GCM, the key's id in the header. What it is sealed for (`purpose`, such as
 * a row's id) is bound in, so that a sealed value moved to another row does not open.
 */
@Injectable()
export class Sealer {
  constructor(private readonly config: Config) {}

  async seal(value: unknown, purpose: string): Promise<string> {
    const [current] = this.config.encryptionKeys;
    if (current === undefined) throw new Error('There is always a current key');
    const plain = new TextEncoder().encode(JSON.stringify({ purpose, value }));
    return new CompactEncrypt(plain).setProtectedHeader(headerOf(current.id)).encrypt(current.key);
  }

  /** @throws CannotUnseal, whose message never holds the value */
  async unseal(sealed: string, purpose: string): Promise<unknown> {
    const opened = await this.open(sealed, purpose);
    if (opened.purpose !== purpose)
      throw new CannotUnseal(`What was sealed for ${opened.purpose} cannot serve for ${purpose}`);
    return opened.value;
  }

  /** Seals what an older key opens under the current one, for the same purpose; null when that has been done. @throws CannotUnseal */
  async reseal(sealed: string): Promise<string | null> {
    if (!this.isOutdated(sealed)) return null;
    const { purpose, value } = await this.open(sealed);
    return this.seal(value, purpose);
  }

  /** Whether the value should be sealed again because another key is current now. */
  isOutdated(sealed: string): boolean {
    return keyIdOf(sealed) !== this.config.encryptionKeys[0]?.id;
  }

  private async open(
    sealed: string,
    purpose = 'this row',
  ): Promise<{ readonly purpose: string; readonly value: unknown }> {
    const kid = keyIdOf(sealed);
    const found = this.config.encryptionKeys.find(({ id }) => id === kid);
    if (found === undefined) throw new CannotUnseal(`ENCRYPTION_KEYS has no key ${String(kid)}`);
    const { plaintext } = await compactDecrypt(sealed, found.key, {
      contentEncryptionAlgorithms: ['A256GCM'],
      keyManagementAlgorithms: ['dir'],
    }).catch((error: unknown) => {
      throw new CannotUnseal(`What was sealed for ${purpose} has been altered`, { cause: error });
    });
    return JSON.parse(new TextDecoder().decode(plaintext)) as { readonly purpose: string; readonly value: unknown };
  }
}

/** How everything that a key seals begins. */
export const sealedBeginning = (keyId: string): string =>
  `${Buffer.from(JSON.stringify(headerOf(keyId))).toString('base64url')}.`;

const headerOf = (kid: string) => ({ alg: 'dir', enc: 'A256GCM', kid });

function keyIdOf(sealed: string): string | undefined {
  try {
    return decodeProtectedHeader(sealed).kid;
  } catch (error) {
    throw new CannotUnseal('What was sealed has been altered', { cause: error });
  }
}
