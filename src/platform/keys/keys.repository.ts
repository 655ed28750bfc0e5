import type { EntityManager } from 'typeorm';
import { SETTINGS, type KeptSecret } from '../../common/config/index.js';
import { KeyFingerprintEntity, sealedBeginning, type ConfiguredKey } from '../../common/sealing/index.js';

/** Processes that start together wait for each other here. */
const KEYS_LOCK = 7_431_103;

/** The tables with encrypted values, and the names of one row and of several. */
const SEALED = [
  ['credential', 'credential', 'credentials'],
  ['signing_key', 'signing key', 'signing keys'],
  ['store_webhook', 'webhook of a store', 'webhooks of stores'],
  ['lease_key', 'lease key', 'lease keys'],
  ['notification_endpoint', 'webhook', 'webhooks'],
  ['code_claim', 'unclaimed code', 'unclaimed codes'],
  ['license_batch', 'batch of new codes', 'batches of new codes'],
  ['license_gift', 'code of a gift', 'codes of gifts'],
  ['mail', 'waiting mail', 'waiting mails'],
  ['license_import', 'import of licenses', 'imports of licenses'],
  ['license_import_page', 'page of an import', 'pages of imports'],
  ['second_factor', 'second factor', 'second factors'],
  ['returning_customer', 'address of a returning customer', 'addresses of returning customers'],
  ['idempotent_answer', 'kept answer', 'kept answers'],
] as const;

/** Tables whose rows Pierhead creates again when needed, unless an unreadable one is in the way. */
const REPLACEABLE = [
  'store_webhook',
  'lease_key',
  'code_claim',
  'license_batch',
  'license_gift',
  'returning_customer',
  'idempotent_answer',
] as const;

/** A table with encrypted values. */
export type SealedTable = (typeof SEALED)[number][0];

/** Rows that depend on a key, and their name. */
export interface KeyUse {
  readonly rows: number;
  readonly one: string;
  readonly several: string;
}

/**
 * The fingerprints of keys, and the rows that depend on them. Raw SQL: the statements are the same for many tables, whose entities belong to
 * other folders, and run before those are loaded.
 */
export class KeysRepository {
  constructor(private readonly database: EntityManager) {}

  /** Makes processes that start together wait for each other until the transaction ends, however long that takes. */
  async lock(): Promise<void> {
    await this.database.query('set local lock_timeout = 0');
    await this.database.query('select pg_advisory_xact_lock($1)', [KEYS_LOCK]);
  }

  /** Whether the table of fingerprints exists: with MIGRATE_ON_START=false it may not yet. */
  async exists(): Promise<boolean> {
    const [table] = await this.database.query<{ readonly name: string | null }[]>(
      `select to_regclass('key_fingerprint') as name`,
    );
    return (table?.name ?? null) !== null;
  }

  /** Lists the keys that the database was written with. */
  list(): Promise<readonly KeyFingerprintEntity[]> {
    return this.database.getRepository(KeyFingerprintEntity).find();
  }

  async delete(secret: KeptSecret, keyId: string): Promise<void> {
    await this.database.getRepository(KeyFingerprintEntity).delete({ setting: SETTINGS[secret].name, keyId });
  }

  /** Records a current key as used, and the fingerprint of any other that the database uses. */
  async record({ of: secret, keyId, fingerprint, isCurrent }: ConfiguredKey): Promise<void> {
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

  /** Counts the rows that depend on a key; kinds of which there are none are left out. */
  async countUses(secret: KeptSecret, keyId: string): Promise<readonly KeyUse[]> {
    const found: KeyUse[] = [];
    for (const { one, several, sql, parameter } of usesOf(secret, keyId)) {
      const [row] = await this.database.query<{ readonly rows: number }[]>(
        `select count(*)::int as rows from ${sql}`,
        parameter === null ? [] : [parameter],
      );
      const rows = row?.rows ?? 0;
      if (rows > 0) found.push({ rows, one, several });
    }
    return found;
  }

  /** Finds the rows with a value that a key encrypts, and locks them. */
  async findSealedForUpdate(
    keyId: string,
  ): Promise<readonly { readonly table: SealedTable; readonly id: string; readonly sealed: string }[]> {
    const found = [];
    for (const [table] of SEALED) {
      const rows = await this.database.query<{ readonly id: string; readonly sealed: string }[]>(
        `select id, sealed from ${table} where starts_with(sealed, $1) for update`,
        [sealedBeginning(keyId)],
      );
      found.push(...rows.map((row) => ({ ...row, table })));
    }
    return found;
  }

  /** Finds one encrypted value of each kind. */
  async sampleSealed(): Promise<readonly string[]> {
    const found = [];
    for (const [table] of SEALED)
      found.push(
        ...(await this.database.query<{ readonly sealed: string }[]>(
          `select sealed from ${table} where sealed is not null limit 1`,
        )),
      );
    return found.map(({ sealed }) => sealed);
  }

  /** Replaces an encrypted value. */
  async reseal(table: SealedTable, id: string, sealed: string): Promise<void> {
    await this.database.query(`update ${table} set sealed = $2 where id = $1`, [id, sealed]);
  }

  /** Deletes the rows with a value that a lost key encrypts, in the tables that Pierhead fills again. */
  async deleteReplaceable(keyId: string): Promise<void> {
    for (const table of REPLACEABLE)
      await this.database.query(`delete from ${table} where starts_with(sealed, $1)`, [sealedBeginning(keyId)]);
  }
}

function usesOf(secret: KeptSecret, keyId: string) {
  switch (secret) {
    case 'encryptionKeys':
      return SEALED.map(([table, one, several]) => ({
        one,
        several,
        sql: `${table} where starts_with(sealed, $1)`,
        parameter: sealedBeginning(keyId),
      }));
    case 'codePeppers':
      return [
        { one: 'license', several: 'licenses', sql: 'license where code_pepper = $1', parameter: keyId },
        { one: 'member', several: 'members', sql: 'license_member where code_pepper = $1', parameter: keyId },
        {
          one: 'code of a device',
          several: 'codes of devices',
          sql: 'device_code where code_pepper = $1',
          parameter: keyId,
        },
      ];
    case 'tokenSecret': {
      const sql = 'access_token where expires_at is null or expires_at > now()';
      return [{ one: 'access token', several: 'access tokens', sql, parameter: null }];
    }
  }
}
