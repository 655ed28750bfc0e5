import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Config, KEPT_SECRETS, SETTINGS, type KeptSecret, type Secrets } from '../config/index.js';
import { KeyFingerprintEntity } from './key-fingerprint.entity.js';

/** Slow on purpose, since `TOKEN_SECRET` may be a guessable phrase. */
const slowly = promisify<string | Uint8Array, string, number, Buffer>(scrypt);
const FINGERPRINT_BYTES = 32;

/** A configured key, by its fingerprint. */
export interface ConfiguredKey {
  readonly of: KeptSecret;
  readonly keyId: string;
  readonly fingerprint: Buffer;
  /** New rows are written with it. */
  readonly isCurrent: boolean;
}

/** A key that the database was written with, and that is missing or different in the configuration. */
export interface MismatchedKey {
  readonly of: KeptSecret;
  readonly keyId: string;
  readonly fault: 'missing' | 'other';
}

type Stored = Pick<KeyFingerprintEntity, 'setting' | 'keyId' | 'fingerprint'>;

/** Returns the fingerprint of each key: one-way, and different for equal keys of two settings or ids. */
export async function fingerprintsOf(secrets: Partial<Secrets>): Promise<readonly ConfiguredKey[]> {
  const keys = KEPT_SECRETS.flatMap((of) => {
    const value = secrets[of] ?? [];
    const ring = typeof value === 'string' ? [{ id: '', key: value }] : value;
    return ring.map(({ id, key }, index) => ({ of, keyId: id, key, isCurrent: index === 0 }));
  });
  return Promise.all(
    keys.map(async ({ key, ...known }) => ({
      ...known,
      fingerprint: await slowly(key, `pierhead ${SETTINGS[known.of].name} ${known.keyId}`, FINGERPRINT_BYTES),
    })),
  );
}

/** Returns the keys that a database was written with, and that are missing or different here. */
export const mismatchedKeys = (stored: readonly Stored[], known: readonly ConfiguredKey[]): readonly MismatchedKey[] =>
  stored.flatMap<MismatchedKey>(({ setting, keyId, fingerprint }) => {
    const of = KEPT_SECRETS.find((one) => SETTINGS[one].name === setting);
    if (of === undefined) return [];
    const given = known.find((key) => key.of === of && key.keyId === keyId);
    if (given === undefined) return [{ of, keyId, fault: 'missing' }];
    const isSame = fingerprint === null || fingerprint.equals(given.fingerprint);
    return isSame ? [] : [{ of, keyId, fault: 'other' }];
  });

/** Checks that this process has the keys that its database was written with, also while other processes change them. */
@Injectable()
export class KeyFingerprints {
  private known: Promise<readonly ConfiguredKey[]> | undefined;

  constructor(
    private readonly config: Config,
    private readonly dataSource: DataSource,
  ) {}

  /** The keys of this process, by their fingerprints. */
  get configured(): Promise<readonly ConfiguredKey[]> {
    return (this.known ??= fingerprintsOf(this.config));
  }

  /** Throws when a key is missing or different. */
  async check(): Promise<void> {
    const stored = await this.dataSource.getRepository(KeyFingerprintEntity).find();
    if (mismatchedKeys(stored, await this.configured).length > 0) throw new Error('The database needs other keys');
  }
}
