import { isLoopback, localUrl } from './setting-values.js';
import { SETTINGS, type Setting, type SettingName } from './settings.js';

type ValueOf<S> = S extends Setting<infer T> ? T : never;
type Settings = typeof SETTINGS;
type WithDefault = { [K in SettingName]: Settings[K] extends { readonly fallback: string } ? K : never }[SettingName];
/** Settings without a written default that have a value once the configuration is complete. */
type Completed = 'publicUrl' | KeptSecret;
/** Secrets that are generated and kept in `DATA_DIR` when they are not set and the database is embedded. */
export const KEPT_SECRETS = ['encryptionKeys', 'codePeppers', 'tokenSecret'] as const;
export type KeptSecret = (typeof KEPT_SECRETS)[number];
export type Secrets = Pick<ConfigValues, KeptSecret>;

/** The values of all settings. */
export type ConfigValues = { readonly [K in WithDefault | Completed]: ValueOf<Settings[K]> } & {
  readonly [K in Exclude<SettingName, WithDefault | Completed>]: ValueOf<Settings[K]> | undefined;
};

/** The values of the environment alone; some of `Completed` may be missing. */
export type EnvironmentValues = Omit<ConfigValues, Completed> & Partial<Pick<ConfigValues, Completed>>;

/** Invalid configuration: all faults, each with the variable's name and meaning. */
export class ConfigFault extends Error {
  override readonly name = 'ConfigFault';

  constructor(readonly faults: readonly string[]) {
    super(['Invalid configuration:', ...faults.map((fault) => `  - ${fault}`)].join('\n'));
  }
}

/** Exit code for invalid configuration (`EX_CONFIG` of sysexits.h). */
export const EXIT_CONFIG = 78;

/** The configuration: read once, frozen, injected. Nothing else reads the environment. */
export class Config {
  /** The origin of PUBLIC_URL, since a sender can forge the `Host` header. */
  readonly origin: string;
  /** The path of PUBLIC_URL without a trailing slash: empty unless a proxy serves Pierhead below a path. */
  readonly basePath: string;

  constructor(readonly values: ConfigValues) {
    const { origin, pathname } = new URL(values.publicUrl);
    this.origin = origin;
    this.basePath = pathname.replace(/\/$/, '');
    Object.assign(this, values);
    Object.freeze(this);
  }

  /** Whether PostgreSQL runs inside this process. */
  get embedded(): boolean {
    return this.values.databaseUrl === undefined;
  }

  /** Whether only this machine reaches the service: it listens on loopback, and PUBLIC_URL does not name another host. */
  get isLocal(): boolean {
    return isLoopback(this.values.host) && isLoopback(new URL(this.values.publicUrl).hostname);
  }
}
// Merged with the class, so that each setting is declared once.
export interface Config extends ConfigValues {}

/** The purpose of a process. One that only migrates needs no keys. */
export type Purpose = 'serve' | 'migrate';

type Environment = Readonly<Record<string, string | undefined>>;

function valueIn(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}

/**
 * Reads the environment. Empty variables count as absent.
 * @throws ConfigFault with all faults
 */
export function readEnvironment(env: Environment, purpose: Purpose = 'serve'): EnvironmentValues {
  const faults: string[] = [];
  const faulty = new Set<string>();
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries<Setting<unknown>>(SETTINGS)) {
    const given =
      valueIn(env, setting.name) ?? (setting.formerly === undefined ? undefined : valueIn(env, setting.formerly));
    const chosen = given ?? setting.fallback;
    try {
      values[key] = chosen === undefined ? undefined : setting.parse(chosen);
    } catch (error) {
      faulty.add(key);
      faults.push(`${setting.name} must ${(error as Error).message}. ${setting.meaning}`);
    }
  }
  const read = values as unknown as EnvironmentValues;
  for (const { of, onlyTo = purpose, fault } of CONTRADICTIONS) {
    const found = onlyTo !== purpose || of.some((key) => faulty.has(key)) ? null : fault(read);
    if (found !== null) faults.push(found);
  }
  if (faults.length > 0) throw new ConfigFault(faults);
  return read;
}

/** Completes the environment's values with the secrets that were found or generated. */
export function completeConfig(read: EnvironmentValues, found: Secrets) {
  return new Config({ ...read, ...found, publicUrl: read.publicUrl ?? localUrl(read) });
}

/** A fault of several settings together, checked when each of them is valid. */
interface Contradiction {
  readonly of: readonly SettingName[];
  readonly onlyTo?: Purpose;
  readonly fault: (read: EnvironmentValues) => string | null;
}

const neededByServer = (key: KeptSecret): Contradiction => ({
  of: ['databaseUrl', key],
  onlyTo: 'serve',
  fault: (read) =>
    read.databaseUrl !== undefined && read[key] === undefined
      ? `${SETTINGS[key].name} is required with DATABASE_URL. ${SETTINGS[key].meaning}`
      : null,
});

const together = (
  one: 'bootstrapEmail' | 's3AccessKeyId' | 'smtpUrl' | 'oidcIssuer',
  other: 'bootstrapPassword' | 's3SecretAccessKey' | 'mailFrom' | 'oidcClientId',
): Contradiction => ({
  of: [one, other],
  fault: (read) =>
    (read[one] === undefined) === (read[other] === undefined)
      ? null
      : `${SETTINGS[one].name} and ${SETTINGS[other].name} must be set together.`,
});

const CONTRADICTIONS: readonly Contradiction[] = [
  neededByServer('encryptionKeys'),
  neededByServer('tokenSecret'),
  neededByServer('codePeppers'),
  together('bootstrapEmail', 'bootstrapPassword'),
  together('s3AccessKeyId', 's3SecretAccessKey'),
  together('smtpUrl', 'mailFrom'),
  together('oidcIssuer', 'oidcClientId'),
  {
    of: ['databaseUrl', 'databaseReadUrl'],
    fault: ({ databaseUrl, databaseReadUrl }) =>
      databaseUrl === undefined && databaseReadUrl !== undefined
        ? 'DATABASE_READ_URL needs DATABASE_URL: the embedded database has no standby.'
        : null,
  },
  {
    of: ['backupTo', 's3Bucket'],
    fault: ({ backupTo, s3Bucket }) =>
      backupTo === 'bucket' && s3Bucket === undefined ? 'BACKUP_TO=bucket needs S3_BUCKET.' : null,
  },
  {
    of: ['oidcIssuer', 'passwordLogin'],
    fault: ({ oidcIssuer, passwordLogin }) =>
      passwordLogin === 'off' && oidcIssuer === undefined
        ? 'PASSWORD_LOGIN=off needs OIDC_ISSUER, or nobody could log in.'
        : null,
  },
  {
    of: ['tenantQuotas', 'defaultTenantQuota'],
    fault: ({ tenantQuotas, defaultTenantQuota }) =>
      Object.hasOwn(tenantQuotas, defaultTenantQuota)
        ? null
        : `DEFAULT_TENANT_QUOTA must be one of TENANT_QUOTAS: ${Object.keys(tenantQuotas).join(', ')}.`,
  },
];
