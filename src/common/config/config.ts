import { SETTINGS, type Setting, type SettingName } from './settings.js';

type ValueOf<S> = S extends Setting<infer T> ? T : never;
type Settings = typeof SETTINGS;
type WithDefault = { [K in SettingName]: Settings[K] extends { readonly fallback: string } ? K : never }[SettingName];
/** Settings that have no written default and yet always have a value once the configuration is complete. */
type Completed = 'publicUrl' | 'encryptionKeys' | 'tokenSecret';

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
}
// The fields are the settings themselves, so that each is declared once.
export interface Config extends ConfigValues {}

/**
 * Reads the environment. Empty variables count as absent.
 * @throws ConfigFault naming every fault, not only the first.
 */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>): EnvironmentValues {
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
  for (const { of, fault } of CONTRADICTIONS) {
    const found = of.some((key) => faulty.has(key)) ? null : fault(read);
    if (found !== null) faults.push(found);
  }
  if (faults.length > 0) throw new ConfigFault(faults);
  return read;
}

/** Completes what the environment said by what was found or made for it. */
export function completeConfig(read: EnvironmentValues, found: Pick<ConfigValues, 'encryptionKeys' | 'tokenSecret'>) {
  const host = read.host.includes(':') ? `[${read.host}]` : read.host;
  return new Config({ ...read, ...found, publicUrl: read.publicUrl ?? `http://${host}:${read.port}` });
}

/** A fault that only several settings together can have; looked for when each of them could be read. */
interface Contradiction {
  readonly of: readonly SettingName[];
  readonly fault: (read: EnvironmentValues) => string | null;
}

const neededByServer = (key: 'encryptionKeys' | 'tokenSecret'): Contradiction => ({
  of: ['databaseUrl', key],
  fault: (read) =>
    read.databaseUrl !== undefined && read[key] === undefined
      ? `${SETTINGS[key].name} must be given with DATABASE_URL. ${SETTINGS[key].meaning}`
      : null,
});

const together = (
  one: 'bootstrapEmail' | 's3AccessKeyId',
  other: 'bootstrapPassword' | 's3SecretAccessKey',
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
  together('bootstrapEmail', 'bootstrapPassword'),
  together('s3AccessKeyId', 's3SecretAccessKey'),
  {
    of: ['tenantPlans', 'defaultTenantPlan'],
    fault: ({ tenantPlans, defaultTenantPlan }) =>
      Object.hasOwn(tenantPlans, defaultTenantPlan)
        ? null
        : `DEFAULT_TENANT_PLAN must be one of TENANT_PLANS: ${Object.keys(tenantPlans).join(', ')}.`,
  },
];
