import { DataSource } from 'typeorm';
import {
  completeConfig,
  findSecrets,
  keepSecrets,
  secretFile,
  SETTINGS,
  type EnvironmentValues,
  type KeptSecret,
  type Secrets,
} from '../../common/config/index.js';
import { dataSourceOptions, refuseOtherSchema } from '../../common/database/index.js';
import {
  CannotUnseal,
  fingerprintsOf,
  mismatchedKeys,
  KeyFingerprintEntity,
  Sealer,
  type MismatchedKey,
} from '../../common/sealing/index.js';
import { KeysRepository, type KeyUse } from './keys.repository.js';

/** The argument that starts without keys that are permanently lost. */
export const ACCEPT_LOST_KEYS = '--accept-lost-keys';

/** Consequences of a missing key. */
const CONSEQUENCES: Readonly<Record<KeptSecret, string>> = {
  encryptionKeys:
    'Without it Pierhead cannot publish or process payments until each credential is entered again, and extensions that pin lease keys must ship new ones.',
  codePeppers:
    'Without it the license codes hashed with it are unknown: their buyers cannot activate until each code is rotated.',
  tokenSecret: 'Without it every access token is refused, and every install counts as new once.',
};

/** The database was written with keys that are not configured here. */
export class LostKeys extends Error {
  override readonly name = 'LostKeys';

  constructor(faults: readonly string[]) {
    super(
      [
        'Pierhead does not start: the keys that its database was written with are not configured.',
        ...faults.map((fault) => `  - ${fault}`),
        `Restore them, for example from a backup. If they are permanently lost, start with ${ACCEPT_LOST_KEYS}.`,
      ].join('\n'),
    );
  }
}

interface ReconciledKeys {
  readonly secrets: Secrets;
  /** Warnings for the operator, one sentence each. */
  readonly notes: readonly string[];
}

/**
 * Reads the secrets, or generates them for a new database, and compares them with the fingerprints in the database.
 * @throws LostKeys when a key that the database needs is missing or different, unless that is accepted
 * @throws SchemaRefused before it touches what it may not know
 */
export async function verifyKeys(url: string, read: EnvironmentValues, acceptLost: boolean): Promise<ReconciledKeys> {
  const dataSource = await openKeys(url);
  try {
    await refuseOtherSchema(dataSource);
    return await dataSource.transaction(async (database) => {
      const keys = new KeysRepository(database);
      await keys.lock();
      // Without the table, /health/ready reports pending migrations anyway.
      if (!(await keys.exists())) return { secrets: await keepSecrets(read), notes: [] };
      return new KeyCheck(keys, read).verify(acceptLost);
    });
  } finally {
    await dataSource.destroy();
  }
}

/** Comparison of the configured keys with those of a database. */
export interface KeyReport {
  /** Keys that are missing or different, one sentence each. */
  readonly faults: readonly string[];
  /** Encrypted values, one of each kind, that could be decrypted. */
  readonly opened: number;
}

/** Compares the keys that are configured with those that a database was written with, and decrypts samples. Changes nothing. */
export async function inspectKeys(url: string, read: EnvironmentValues): Promise<KeyReport> {
  const dataSource = await openKeys(url);
  try {
    const keys = new KeysRepository(dataSource.manager);
    const found = await findSecrets(read);
    const mismatches = await new KeyCheck(keys, read).mismatches(found);
    const faults = mismatches.flatMap(({ fault }) => fault ?? []);
    if (faults.length > 0) return { faults, opened: 0 };
    const samples = await keys.sampleSealed();
    const sealer = new Sealer(completeConfig(read, found as Secrets));
    for (const sealed of samples) await sealer.assertReadable(sealed);
    return { faults, opened: samples.length };
  } finally {
    await dataSource.destroy();
  }
}

const openKeys = (url: string): Promise<DataSource> =>
  new DataSource({ ...dataSourceOptions(url, 2), entities: [KeyFingerprintEntity] }).initialize();

class KeyCheck {
  private readonly notes: string[] = [];

  constructor(
    private readonly keys: KeysRepository,
    private readonly read: EnvironmentValues,
  ) {}

  async verify(acceptLost: boolean): Promise<ReconciledKeys> {
    const found = await findSecrets(this.read);
    const stored = await this.keys.list();
    const faults: string[] = [];
    for (const { of: secret, keyId, fault } of await this.mismatches(found)) {
      if (fault !== null) faults.push(fault);
      if (fault !== null && secret === 'encryptionKeys') await this.keys.deleteReplaceable(keyId);
      await this.keys.delete(secret, keyId);
    }
    // Rolls back the deletions.
    if (faults.length > 0 && !acceptLost) throw new LostKeys(faults);
    this.notes.push(...faults.map((fault) => `Starting without a lost key. ${fault}`));
    const secrets = await keepSecrets(this.read, (secret) => newKeyId(secret, stored));
    for (const key of await fingerprintsOf(secrets)) await this.keys.record(key);
    await this.retire(secrets);
    return { secrets, notes: this.notes };
  }

  /** Lists the missing and different keys, each with a sentence for the operator, or null when nothing needs the key any more. */
  async mismatches(found: Partial<Secrets>) {
    const mismatches: { readonly of: KeptSecret; readonly keyId: string; readonly fault: string | null }[] = [];
    for (const key of mismatchedKeys(await this.keys.list(), await fingerprintsOf(found))) {
      const used = inWords(await this.keys.countUses(key.of, key.keyId));
      const isRetired = key.fault === 'missing' && used === null && found[key.of] !== undefined;
      mismatches.push({ ...key, fault: isRetired ? null : this.describe(key, used) });
    }
    return mismatches;
  }

  /** Re-encrypts under the current key what another key encrypts, and notes which other keys are still needed. */
  private async retire(secrets: Secrets): Promise<void> {
    const sealer = new Sealer(completeConfig(this.read, secrets));
    const stored = await this.keys.list();
    for (const secret of ['encryptionKeys', 'codePeppers'] as const)
      for (const { keyId } of stored.filter(({ setting }) => setting === SETTINGS[secret].name)) {
        if (keyId === secrets[secret][0]?.id) continue;
        if (secret === 'encryptionKeys') await this.reseal(keyId, sealer);
        const used = inWords(await this.keys.countUses(secret, keyId));
        const name = nameOf(secret, keyId);
        this.notes.push(
          used === null ? `Nothing uses ${name} any more. You can remove it.` : `${name} is still needed by ${used}.`,
        );
      }
  }

  /** Re-encrypts the values that a retired key encrypts, except those that were altered. */
  private async reseal(retired: string, sealer: Sealer): Promise<void> {
    for (const { table, id, sealed } of await this.keys.findSealedForUpdate(retired)) {
      const resealed = await sealer.reseal(sealed).catch(nullIfTampered);
      if (resealed !== null) await this.keys.reseal(table, id, resealed);
    }
  }

  private describe({ of: secret, keyId, fault }: MismatchedKey, used: string | null): string {
    const { name } = SETTINGS[secret];
    const file = secretFile(this.read.dataDir, secret);
    const place =
      this.read[secret] === undefined
        ? `the file ${file}, since the variable ${name} is not set`
        : `the variable ${name}`;
    const what = fault === 'missing' ? 'is missing' : 'is not the key in use';
    const need = used === null ? '' : ` It is needed by ${used}.`;
    return `${nameOf(secret, keyId)} ${what}. Pierhead looks for it in ${place}.${need} ${CONSEQUENCES[secret]}`;
  }
}

/** Names a key by its setting and id. */
const nameOf = (secret: KeptSecret, keyId: string): string =>
  keyId === '' ? SETTINGS[secret].name : `${SETTINGS[secret].name} key “${keyId}”`;

/** Lists uses, such as “3 credentials and 1 lease key”; null for none. */
function inWords(uses: readonly KeyUse[]): string | null {
  const parts = uses.map(({ rows, one, several }) => `${rows} ${rows === 1 ? one : several}`);
  return parts.length < 2 ? (parts[0] ?? null) : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

function nullIfTampered(error: unknown): null {
  if (error instanceof CannotUnseal) return null;
  throw error;
}

/** Makes an id that no key had before, so that a lost key that is found again can be added behind the new one. */
function newKeyId(secret: KeptSecret, stored: readonly KeyFingerprintEntity[]): string {
  const numbers = stored
    .filter(({ setting }) => setting === SETTINGS[secret].name)
    .map(({ keyId }) => Number(/^k(\d{1,6})$/.exec(keyId)?.[1] ?? 0));
  return `k${Math.max(0, ...numbers) + 1}`;
}
