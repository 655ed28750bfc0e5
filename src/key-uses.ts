import type { EntityManager } from 'typeorm';
import { SETTINGS, type KeptSecret } from './common/config/index.js';
import { CannotUnseal, sealedBeginning, type Sealer } from './common/sealing/index.js';

/** The tables with encrypted values, and the names of one row and of several. */
const SEALED = [
  ['credential', 'credential', 'credentials'],
  ['lease_key', 'lease key', 'lease keys'],
  ['notification_endpoint', 'webhook', 'webhooks'],
  ['code_claim', 'unclaimed code', 'unclaimed codes'],
  ['mail', 'waiting mail', 'waiting mails'],
  ['returning_customer', 'address of a returning customer', 'addresses of returning customers'],
] as const;

/** Tables whose rows Pierhead creates again when needed, unless an unreadable one is in the way. */
const REPLACEABLE = ['lease_key', 'code_claim', 'returning_customer'] as const;

/** The rows of the database that depend on a key. */
export class KeyUses {
  constructor(private readonly database: EntityManager) {}

  /** Describes them, such as “3 credentials and 1 lease key”; null when there are none. */
  async of(secret: KeptSecret, keyId: string): Promise<string | null> {
    const found: string[] = [];
    for (const { one, several, sql, parameter } of this.counted(secret, keyId)) {
      const [row] = await this.database.query<{ readonly rows: number }[]>(
        `select count(*)::int as rows from ${sql}`,
        parameter === null ? [] : [parameter],
      );
      const rows = row?.rows ?? 0;
      if (rows > 0) found.push(`${rows} ${rows === 1 ? one : several}`);
    }
    return found.length === 0 ? null : inWords(found);
  }

  /** Re-encrypts under the current key what a retired key encrypts. */
  async reseal(keyId: string, sealer: Sealer): Promise<void> {
    for (const [table] of SEALED)
      for (const { id, sealed } of await this.sealedBy(table, keyId)) {
        const resealed = await sealer.reseal(sealed).catch(nothingIfAltered);
        if (resealed === null) continue;
        await this.database.query(`update ${table} set sealed = $3 where id = $1 and sealed = $2`, [
          id,
          sealed,
          resealed,
        ]);
      }
  }

  /** Deletes rows encrypted by a lost key that Pierhead creates again by itself. */
  async replace(keyId: string): Promise<void> {
    for (const table of REPLACEABLE)
      await this.database.query(`delete from ${table} where starts_with(sealed, $1)`, [sealedBeginning(keyId)]);
  }

  private sealedBy(table: string, keyId: string) {
    return this.database.query<{ readonly id: string; readonly sealed: string }[]>(
      `select id, sealed from ${table} where starts_with(sealed, $1) for update`,
      [sealedBeginning(keyId)],
    );
  }

  private counted(secret: KeptSecret, keyId: string) {
    switch (secret) {
      case 'encryptionKeys':
        return SEALED.map(([table, one, several]) => ({
          one,
          several,
          sql: `${table} where starts_with(sealed, $1)`,
          parameter: sealedBeginning(keyId),
        }));
      case 'codePeppers':
        return [{ one: 'license', several: 'licenses', sql: 'license where code_pepper = $1', parameter: keyId }];
      case 'tokenSecret': {
        const sql = 'access_token where expires_at is null or expires_at > now()';
        return [{ one: 'access token', several: 'access tokens', sql, parameter: null }];
      }
    }
  }
}

/** What happens without a key. */
export const CONSEQUENCES: Readonly<Record<KeptSecret, string>> = {
  encryptionKeys:
    'Without it Pierhead cannot publish or process payments until each credential is entered again, and extensions that pin lease keys must ship new ones.',
  codePeppers:
    'Without it the license codes hashed with it are unknown: their buyers cannot activate until each code is rotated.',
  tokenSecret: 'Without it every access token is refused, and every install counts as new once.',
};

/** Names a key by its setting and id. */
export const nameOf = (secret: KeptSecret, keyId: string): string =>
  keyId === '' ? SETTINGS[secret].name : `${SETTINGS[secret].name} key “${keyId}”`;

const inWords = (parts: readonly string[]): string =>
  parts.length === 1 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

function nothingIfAltered(error: unknown): null {
  if (error instanceof CannotUnseal) return null;
  throw error;
}
