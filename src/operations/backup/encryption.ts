import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { BackupFault } from './manifest.js';

/** Encryption of backups, in the format of age (https://age-encryption.org/v1), which the program `age` reads too. */
export interface BackupEncryption {
  /** Public keys, `age1…`. */
  readonly recipients: readonly string[];
  readonly passphrase: string | undefined;
}

/** A key that decrypts a backup. */
export interface BackupDecryption {
  /** Private keys, `AGE-SECRET-KEY-1…`. */
  readonly identities: readonly string[];
  readonly passphrase: string | undefined;
}

export const isEncrypted = ({ recipients, passphrase }: BackupEncryption): boolean =>
  recipients.length > 0 || passphrase !== undefined;

/** Encrypts a stream. age cannot combine recipients with a passphrase: recipients take precedence. */
export async function encrypted(plain: Readable, { recipients, passphrase }: BackupEncryption): Promise<Readable> {
  // Loaded here because few processes need it.
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  if (recipients.length > 0) for (const recipient of recipients) encrypter.addRecipient(recipient);
  else encrypter.setPassphrase(passphrase ?? '');
  return Readable.fromWeb((await encrypter.encrypt(webOf(plain))) as ReadableStream);
}

/** Decrypts a stream. @throws BackupFault when neither an identity nor the passphrase opens it */
export async function decrypted(sealed: Readable, { identities, passphrase }: BackupDecryption): Promise<Readable> {
  if (identities.length === 0 && passphrase === undefined)
    throw new BackupFault(
      'The backup is encrypted. Set BACKUP_PASSPHRASE, or name the file of its key with --identity.',
    );
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  try {
    for (const identity of identities) decrypter.addIdentity(identity);
    if (passphrase !== undefined) decrypter.addPassphrase(passphrase);
    return Readable.fromWeb((await decrypter.decrypt(webOf(sealed))) as ReadableStream);
  } catch (error) {
    throw new BackupFault('Neither BACKUP_PASSPHRASE nor the key in the --identity file decrypts the backup.', {
      cause: error,
    });
  }
}

/** Node's web streams differ from the browser's in their TypeScript types only. */
const webOf = (stream: Readable) => Readable.toWeb(stream) as globalThis.ReadableStream<Uint8Array>;
