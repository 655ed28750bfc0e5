import { DataSource, type EntityManager } from 'typeorm';
import {
  completeConfig,
  findSecrets,
  keepSecrets,
  secretFile,
  SETTINGS,
  type EnvironmentValues,
  type KeptSecret,
  type Secrets,
} from './common/config/index.js';
import { dataSourceOptions } from './common/database/index.js';
import { fingerprintsOf, foreignKeys, KeyFingerprintEntity, Sealer, type ForeignKey } from './common/sealing/index.js';
import { CONSEQUENCES, KeyUses, nameOf } from './key-uses.js';

/** The argument that starts without keys that are permanently lost. */
export const ACCEPT_LOST_KEYS = '--accept-lost-keys';

/** Processes that start together wait for each other here. */
const KEYS_LOCK = 7_431_103;

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
 */
export async function verifyKeys(url: string, read: EnvironmentValues, acceptLost: boolean): Promise<ReconciledKeys> {
  const dataSource = await new DataSource({
    ...dataSourceOptions(url, 2),
    entities: [KeyFingerprintEntity],
  }).initialize();
  try {
    return await dataSource.transaction(async (database) => {
      await database.query('set local lock_timeout = 0');
      await database.query('select pg_advisory_xact_lock($1)', [KEYS_LOCK]);
      // With MIGRATE_ON_START=false the table may not exist yet; the service is not ready then anyway.
      const [table] = await database.query<{ readonly name: string | null }[]>(
        `select to_regclass('key_fingerprint') as name`,
      );
      if ((table?.name ?? null) === null) return { secrets: await keepSecrets(read), notes: [] };
      return new KeyCheck(database, read).verify(acceptLost);
    });
  } finally {
    await dataSource.destroy();
  }
}

class KeyCheck {
  private readonly uses: KeyUses;
  private readonly notes: string[] = [];

  constructor(
    private readonly database: EntityManager,
    private readonly read: EnvironmentValues,
  ) {
    this.uses = new KeyUses(database);
  }

  async verify(acceptLost: boolean): Promise<ReconciledKeys> {
    const ledger = this.database.getRepository(KeyFingerprintEntity);
    const found = await findSecrets(this.read);
    const stored = await ledger.find();
    const faults: string[] = [];
    for (const key of foreignKeys(stored, await fingerprintsOf(found))) {
      const used = await this.uses.of(key.of, key.keyId);
      const { of: secret, keyId, fault } = key;
      const isRetired = fault === 'missing' && used === null && found[secret] !== undefined;
      if (!isRetired) faults.push(this.describe(key, used));
      if (!isRetired && secret === 'encryptionKeys') await this.uses.replace(keyId);
      await ledger.delete({ setting: SETTINGS[secret].name, keyId });
    }
    // Rolls back the deletions.
    if (faults.length > 0 && !acceptLost) throw new LostKeys(faults);
    this.notes.push(...faults.map((fault) => `Starting without a lost key. ${fault}`));
    const secrets = await keepSecrets(this.read, (secret) => newKeyId(secret, stored));
    await this.record(secrets);
    await this.retire(secrets);
    return { secrets, notes: this.notes };
  }

  /** Records the current keys as used, and the fingerprints of others that the database uses. */
  private async record(secrets: Secrets): Promise<void> {
    for (const { of: secret, keyId, fingerprint, isCurrent } of await fingerprintsOf(secrets)) {
      const key = [SETTINGS[secret].name, keyId];
      if (isCurrent)
        await this.database.query(
          'insert into key_fingerprint (setting, key_id) values ($1, $2) on conflict do nothing',
          key,
        );
      await this.database.query(
        'update key_fingerprint set fingerprint = $3 where setting = $1 and key_id = $2 and fingerprint is null',
        [...key, fingerprint],
      );
    }
  }

  /** Re-encrypts under the current key what another key encrypts, and notes which other keys are still needed. */
  private async retire(secrets: Secrets): Promise<void> {
    const sealer = new Sealer(completeConfig(this.read, secrets));
    const stored = await this.database.getRepository(KeyFingerprintEntity).find();
    for (const secret of ['encryptionKeys', 'codePeppers'] as const)
      for (const { keyId } of stored.filter(({ setting }) => setting === SETTINGS[secret].name)) {
        if (keyId === secrets[secret][0]?.id) continue;
        if (secret === 'encryptionKeys') await this.uses.reseal(keyId, sealer);
        const used = await this.uses.of(secret, keyId);
        const name = nameOf(secret, keyId);
        this.notes.push(
          used === null ? `Nothing uses ${name} any more. You can remove it.` : `${name} is still needed by ${used}.`,
        );
      }
  }

  private describe({ of: secret, keyId, fault }: ForeignKey, used: string | null): string {
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

/** Makes an id that no key had before, so that a lost key that is found again can be added behind the new one. */
function newKeyId(secret: KeptSecret, stored: readonly KeyFingerprintEntity[]): string {
  const numbers = stored
    .filter(({ setting }) => setting === SETTINGS[secret].name)
    .map(({ keyId }) => Number(/^k(\d{1,6})$/.exec(keyId)?.[1] ?? 0));
  return `k${Math.max(0, ...numbers) + 1}`;
}
