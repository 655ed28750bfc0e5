import { SETTINGS, type Setting, type SettingName } from './settings.js';

type ValueOf<S> = S extends Setting<infer T> ? T : never;
type Settings = typeof SETTINGS;
type WithDefault = { [K in SettingName]: Settings[K] extends { readonly fallback: string } ? K : never }[SettingName];
/** Settings that have no written default and yet always have a value once the configuration is complete. */
type Completed = 'publicUrl' | KeptSecret;
/** Secrets that are made and kept in `DATA_DIR` when nobody gives them and the database is embedded. */
export const KEPT_SECRETS = ['encryptionKeys', 'codePeppers', 'tokenSecret'] as const;
export type KeptSecret = (typeof KEPT_SECRETS)[number];
export type Secrets = Pick<ConfigValues, KeptSecret>;

/** The values of all settings, complete. */
export type ConfigValues = { readonly [K in WithDefault | Completed]: ValueOf<Settings[K]> } & {
  readonly [K in Exclude<SettingName, WithDefault | Completed>]: ValueOf<Settings[K]> | undefined;
};

/** What the environment alone says; what is missing of `Completed` is still to be found or made. */
export type EnvironmentValues = Omit<ConfigValues, Completed> & Partial<Pick<ConfigValues, Completed>>;

/** Configuration that cannot be used: every fault at once, each with the variable's name and meaning. */
export class ConfigFault extends Error {
  override readonly name = 'ConfigFault';

  constructor(readonly faults: readonly string[]) {
    super(['The configuration cannot be used:', ...faults.map((fault) => `  - ${fault}`)].join('\n'));
  }
}

/** Exit code of a process that was configured wrongly (`EX_CONFIG` of sysexits.h). */
export const EXIT_CONFIG = 78;

/** The whole configuration: read once, frozen, injected. Nothing else in Pierhead reads the environment. */
export class Config {
  constructor(readonly values: ConfigValues) {
    Object.assign(this, values);
    Object.freeze(this);
  }

  /** No server was given: PostgreSQL runs inside this process. */
  get embedded(): boolean {
    return this.values.databaseUrl === undefined;
  }

  /** Nobody but this machine reaches the service: it listens on loopback alone, and is not known by any other name. */
  get isLocal(): boolean {
    return isLoopback(this.values.host) && isLoopback(new URL(this.values.publicUrl).hostname);
  }
}
// The fields are the settings themselves, so that each is declared once.
export interface Config extends ConfigValues {}

/** What a process is for: one that only migrates opens no secret, and is not asked for keys. */
export type Purpose = 'serve' | 'migrate';

/**
 * Reads the environment. Empty variables count as absent.
 * @throws ConfigFault naming every fault, not only the first.
 */
export function readEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  purpose: Purpose = 'serve',
): EnvironmentValues {
  const faults: string[] = [];
  const faulty = new Set<string>();
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries<Setting<unknown>>(SETTINGS)) {
    const given = env[setting.name]?.trim();
    const chosen = given === undefined || given === '' ? setting.fallback : given;
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

/** Whether a host, as configured or as in a URL, is this machine for itself. */
export const isLoopback = (host: string): boolean =>
  ['localhost', '::1', '[::1]'].includes(host) || /^127(\.\d+){3}$/.test(host);

const ANY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Completes what the environment said by what was found or made for it. */
export function completeConfig(read: EnvironmentValues, found: Secrets) {
  // Nobody can go to the address of all interfaces.
  const reachable = ANY_ADDRESS.has(read.host) ? 'localhost' : read.host;
  const host = reachable.includes(':') ? `[${reachable}]` : reachable;
  return new Config({ ...read, ...found, publicUrl: read.publicUrl ?? `http://${host}:${read.port}` });
}

/** A fault that only several settings together can have; looked for when each of them could be read. */
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
      ? `${SETTINGS[key].name} must be given with DATABASE_URL. ${SETTINGS[key].meaning}`
      : null,
});

const together = (
  one: 'bootstrapEmail' | 's3AccessKeyId' | 'smtpUrl',
  other: 'bootstrapPassword' | 's3SecretAccessKey' | 'mailFrom',
): Contradiction => ({
  of: [one, other],
  fault: (read) =>
    (read[one] === undefined) === (read[other] === undefined)
      ? null
      : `${SETTINGS[one].name} and ${SETTINGS[other].name} must be given together.`,
});

const CONTRADICTIONS: readonly Contradiction[] = [
  neededByServer('encryptionKeys'),
  neededByServer('tokenSecret'),
  neededByServer('codePeppers'),
  together('bootstrapEmail', 'bootstrapPassword'),
  together('s3AccessKeyId', 's3SecretAccessKey'),
  together('smtpUrl', 'mailFrom'),
  {
    of: ['tenantPlans', 'defaultTenantPlan'],
    fault: ({ tenantPlans, defaultTenantPlan }) =>
      Object.hasOwn(tenantPlans, defaultTenantPlan)
        ? null
        : `DEFAULT_TENANT_PLAN must be one of TENANT_PLANS: ${Object.keys(tenantPlans).join(', ')}.`,
  },
];
