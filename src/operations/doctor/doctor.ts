import { join } from 'node:path';
import {
  completeConfig,
  ConfigFault,
  findSecrets,
  readEnvironment,
  SETTINGS,
  type EnvironmentValues,
} from '../../common/config/index.js';
import { redactText } from '../../common/net/index.js';
import { checkDatabase } from './database-checks.js';
import { fault, ok, skipped, type Finding, type CheckResult } from './finding.js';
import { checkCountries, checkIssuer, checkLinter, checkStandby } from './optional-checks.js';
import {
  checkBucket,
  checkFolder,
  checkMail,
  checkProxies,
  checkPublicUrl,
  checkRedis,
  checkRemote,
  REMOTES,
} from './service-checks.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Redacting shorter values would also redact parts of ordinary words. */
const SHORTEST_SECRET = 4;

/**
 * Checks the settings and everything that the service needs, all at once. Changes nothing.
 * @param sentenceOf returns the message that a start would print for a failure; null for an unknown one
 * @returns what each check found, with secrets redacted
 */
export async function examine(
  env: Environment,
  sentenceOf: (error: unknown) => string | null,
): Promise<readonly Finding[]> {
  const redactSecrets = redactorFor(env);
  const findings = await findingsOf(env, sentenceOf);
  return findings.map((one) => ({
    ...one,
    message: redactSecrets(one.message),
    remedy: one.remedy === null ? null : redactSecrets(one.remedy),
  }));
}

/** Formats the findings as text for a terminal. */
export function formatFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.map(
    ({ check, state, message, remedy }) =>
      `${state.padEnd(7)}  ${check.padEnd(width)}  ${message}\n${remedy === null ? '' : `${' '.repeat(width + 11)}→ ${remedy}\n`}`,
  );
  const count = (which: Finding['state']): number => findings.filter(({ state }) => state === which).length;
  return `${lines.join('')}\nFaults: ${count('fault')}. Warnings: ${count('warning')}.\n`;
}

async function findingsOf(
  env: Environment,
  sentenceOf: (error: unknown) => string | null,
): Promise<readonly Finding[]> {
  let read: EnvironmentValues;
  try {
    read = readEnvironment(env);
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    return [
      ...error.faults.map((one) => named('settings', fault(one, 'Fix it; docs/configuration.md lists all settings.'))),
      named('the rest', skipped('It is checked once the settings are valid.')),
    ];
  }
  const found = await findSecrets(read).catch((error: unknown) => error);
  if (found instanceof ConfigFault)
    return found.faults.map((one) => named('keys', fault(one, 'Restore the file from where you keep the keys.')));
  // No check encrypts anything, so keys that do not exist yet are not a fault.
  const config = completeConfig(read, { encryptionKeys: [], codePeppers: [], tokenSecret: '' });
  const { results, used } = await checkDatabase(read, sentenceOf);
  const { backupTo = join(read.dataDir, 'backups') } = read;
  const checks: readonly (readonly [string, CheckResult | Promise<CheckResult>])[] = [
    ['settings', ok('They are valid.')],
    ...Object.entries(results),
    ['standby', checkStandby(config)],
    ['disk', checkFolder(read.dataDir, SETTINGS.dataDir.name)],
    ['bucket', checkBucket(config)],
    ['backups', backupTo === 'bucket' ? ok('They go to the bucket.') : checkFolder(backupTo, SETTINGS.backupTo.name)],
    ['redis', checkRedis(config)],
    ['mail server', checkMail(config)],
    ['public url', checkPublicUrl(config, read.publicUrl !== undefined)],
    ['proxies', checkProxies(config)],
    ['countries', checkCountries(config)],
    ['addons-linter', checkLinter(config)],
    ['sign-in', checkIssuer(config)],
    ...REMOTES.map(([id, addresses]) => [id, checkRemote(config, addresses, used?.has(id) ?? null)] as const),
  ];
  return Promise.all(checks.map(async ([check, what]) => named(check, await what)));
}

const named = (check: string, result: CheckResult): Finding => ({ check, ...result });

/** Returns a function that redacts the values of secret settings, and the passwords in URLs, in a text. */
function redactorFor(env: Environment): (text: string) => string {
  const secrets = Object.values(SETTINGS).flatMap((setting) => {
    const value = env[setting.name]?.trim() ?? '';
    if (!('secret' in setting)) return [];
    // A URL may show its host and user; a key ring is a list of ids and keys.
    const parts = value.includes('://') ? passwordOf(value) : value.split(/[,:]/);
    return [value, ...parts].filter(({ length }) => length >= SHORTEST_SECRET);
  });
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), redactText(text));
}

/** The password of a URL, both percent-encoded and decoded. */
function passwordOf(url: string): readonly string[] {
  const { password } = URL.canParse(url) ? new URL(url) : { password: '' };
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}
