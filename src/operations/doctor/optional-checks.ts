import { DataSource } from 'typeorm';
import { ConfigFault, type Config } from '../../common/config/index.js';
import { dataSourceOptions } from '../../common/database/index.js';
import { CountryResolver } from '../../common/http/index.js';
import { withoutTrailingSlashes } from '../../common/net/index.js';
import { USER_AGENT } from '../../common/system/index.js';
import { AddonsLinter } from '../../stores/index.js';
import { fault, inTime, ok, reasonOf, skipped, type CheckResult } from './finding.js';

/** Checks that the database of countries can be read, without which the service does not start. */
export function checkCountries(config: Config): CheckResult {
  if (config.countryMmdb === undefined) return skipped('COUNTRY_MMDB is not set: the built-in database is used.');
  try {
    CountryResolver.assertReadable(config);
    return ok(`${config.countryMmdb} is a MaxMind DB file.`);
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    return fault(
      error.faults.join(' '),
      'Put the file there, readable for the user of the service, or remove COUNTRY_MMDB.',
    );
  }
}

/** Checks that the linter of Firefox Add-ons is there, without which the service does not start. */
export function checkLinter(config: Config): CheckResult {
  if (config.addonsLinter === undefined) return skipped("ADDONS_LINTER is not set: Pierhead's own rules judge alone.");
  try {
    AddonsLinter.assertInstalled(config);
    return ok(`${config.addonsLinter} is there.`);
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    return fault(error.faults.join(' '), 'Run npm install --global addons-linter, or remove ADDONS_LINTER.');
  }
}

/** Checks that DATABASE_READ_URL leads to a standby: reads from a primary would fall back to DATABASE_URL, each after a wait. */
export async function checkStandby({ databaseReadUrl }: Config): Promise<CheckResult> {
  if (databaseReadUrl === undefined) return skipped('DATABASE_READ_URL is not set: reports read from the primary.');
  const source = new DataSource({ ...dataSourceOptions(databaseReadUrl, 1) });
  try {
    await inTime(source.initialize());
    const [row] = await inTime(source.query<{ isStandby: boolean }[]>('select pg_is_in_recovery() as "isStandby"'));
    if (row?.isStandby === true) return ok('It answers.');
    return fault(
      'DATABASE_READ_URL leads to a primary, from which nothing is read.',
      'Set DATABASE_READ_URL to a streaming standby, or remove it.',
    );
  } catch (error) {
    return fault(
      `It cannot be reached: ${reasonOf(error)}. Reports read from the primary.`,
      'Check that the standby is running, and the host, port, user and database in DATABASE_READ_URL.',
    );
  } finally {
    if (source.isInitialized) await source.destroy();
  }
}

/** Checks that the OpenID provider describes itself, without which nobody can sign in through it. */
export async function checkIssuer({ oidcIssuer }: Config): Promise<CheckResult> {
  if (oidcIssuer === undefined) return skipped('OIDC_ISSUER is not set.');
  try {
    const { status, issuer } = await inTime(describedBy(oidcIssuer));
    if (issuer !== undefined && withoutTrailingSlashes(issuer) === withoutTrailingSlashes(oidcIssuer))
      return ok(`${oidcIssuer} answers.`);
    return fault(
      issuer === undefined
        ? `${oidcIssuer} answered ${status}, but not with a discovery document.`
        : `The discovery document of ${oidcIssuer} is that of ${issuer}.`,
      'Set OIDC_ISSUER exactly as the provider names itself.',
    );
  } catch (error) {
    return fault(
      `${oidcIssuer} cannot be reached: ${reasonOf(error)}.`,
      'Let this machine connect to it, and check OIDC_ISSUER.',
    );
  }
}

async function describedBy(issuer: string): Promise<{ readonly status: number; readonly issuer: string | undefined }> {
  const response = await fetch(`${withoutTrailingSlashes(issuer)}/.well-known/openid-configuration`, {
    redirect: 'manual',
    headers: { 'user-agent': USER_AGENT },
  });
  const document = (await response.json().catch(() => null)) as { readonly issuer?: unknown } | null;
  const named = document?.issuer;
  return { status: response.status, issuer: response.ok && typeof named === 'string' ? named : undefined };
}
