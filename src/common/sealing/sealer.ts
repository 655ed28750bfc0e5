import { webcrypto } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose';
import { Config } from '../config/index.js';

/** Sealed text cannot be decrypted: its key is not configured, or the text was altered. */
export class CannotUnseal extends Error {
  override readonly name = 'CannotUnseal';
}

/**
 * Encrypts secrets at rest: JWE, direct encryption with AES-256-GCM, the key's id in the header. A sealed value is bound to its `purpose`,
 * such as a row's id, so that it cannot be moved to another row.
 */
@Injectable()
export class Sealer {
  /** To import a key takes longer than to seal a text with it. */
  private readonly imported = new WeakMap<Uint8Array, Promise<webcrypto.CryptoKey>>();

  constructor(private readonly config: Config) {}

  async seal(value: unknown, purpose: string): Promise<string> {
    const [current] = this.config.encryptionKeys;
    if (current === undefined) throw new Error('A current key is required');
    const plain = new TextEncoder().encode(JSON.stringify({ purpose, value }));
    return new CompactEncrypt(plain).setProtectedHeader(headerOf(current.id)).encrypt(await this.import(current.key));
  }

  /** Decrypts a value. @throws CannotUnseal, whose message never contains the value */
  async unseal(sealed: string, purpose: string): Promise<unknown> {
    const opened = await this.open(sealed, purpose);
    if (opened.purpose !== purpose)
      throw new CannotUnseal(`The value is sealed for ${opened.purpose}, not for ${purpose}`);
    return opened.value;
  }

  /** Decrypts a value, whatever it is for, and forgets it. @throws CannotUnseal */
  async assertReadable(sealed: string): Promise<void> {
    await this.open(sealed);
  }

  /** Encrypts a value again under the current key; null when it is already. @throws CannotUnseal */
  async reseal(sealed: string): Promise<string | null> {
    if (!this.isOutdated(sealed)) return null;
    const { purpose, value } = await this.open(sealed);
    return this.seal(value, purpose);
  }

  /** Whether another key is current now, so that the value should be encrypted again. */
  isOutdated(sealed: string): boolean {
    return keyIdOf(sealed) !== this.config.encryptionKeys[0]?.id;
  }

  private import(key: Uint8Array): Promise<webcrypto.CryptoKey> {
    const imported =
      this.imported.get(key) ?? webcrypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt', 'decrypt']);
    this.imported.set(key, imported);
    return imported;
  }

  private async open(
    sealed: string,
    purpose = 'this row',
  ): Promise<{ readonly purpose: string; readonly value: unknown }> {
    const kid = keyIdOf(sealed);
    const found = this.config.encryptionKeys.find(({ id }) => id === kid);
    if (found === undefined) throw new CannotUnseal(`ENCRYPTION_KEYS has no key ${String(kid)}`);
    const { plaintext } = await compactDecrypt(sealed, await this.import(found.key), {
      contentEncryptionAlgorithms: ['A256GCM'],
      keyManagementAlgorithms: ['dir'],
    }).catch((error: unknown) => {
      throw new CannotUnseal(`The value sealed for ${purpose} was altered`, { cause: error });
    });
    return JSON.parse(new TextDecoder().decode(plaintext)) as { readonly purpose: string; readonly value: unknown };
  }
}

/** Returns the beginning of all values that a key seals. */
export const sealedBeginning = (keyId: string): string =>
  `${Buffer.from(JSON.stringify(headerOf(keyId))).toString('base64url')}.`;

const headerOf = (kid: string) => ({ alg: 'dir', enc: 'A256GCM', kid });

function keyIdOf(sealed: string): string | undefined {
  try {
    return decodeProtectedHeader(sealed).kid;
  } catch (error) {
    throw new CannotUnseal('The sealed value was altered', { cause: error });
  }
}
