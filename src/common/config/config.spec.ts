import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { completeConfig, ConfigFault, EXIT_CONFIG, readEnvironment } from './config.js';
import { SETTINGS, type Setting } from './settings.js';
import { configurationGuide, envExample } from './settings-documents.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const KEY = Buffer.alloc(32, 1).toString('base64');
const SERVER = { DATABASE_URL: 'postgres://db.example/pierhead' };
const SECRETS = { ENCRYPTION_KEYS: `k1:${KEY}`, TOKEN_SECRET: 'x'.repeat(32), CODE_PEPPERS: `k1:${KEY}` };
const KEYS = [{ id: 'k1', key: new Uint8Array(32) }];
const found = { encryptionKeys: KEYS, tokenSecret: 'x'.repeat(32), codePeppers: KEYS };

function faultsOf(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    readEnvironment(env);
  } catch (error) {
    if (error instanceof ConfigFault) return error.faults;
    throw error;
  }
  return [];
}

describe('the configuration', () => {
  it('requires no keys for migrations', () => {
    expect(readEnvironment({ DATABASE_URL: 'postgres://127.0.0.1/x' }, 'migrate').databaseUrl).toBe(
      'postgres://127.0.0.1/x',
    );
  });

  it('has documented defaults for everything', () => {
    const config = completeConfig(readEnvironment({}), found);
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://127.0.0.1:3000',
      dataDir: './data',
      databasePool: 10,
      migrateOnStart: true,
      allowSchemaDrift: false,
      tenantQuotas: { starter: 3, standard: 20, unlimited: 0 },
      defaultTenantQuota: 'standard',
      artifactMaxBytes: 200_000_000,
      rateLimits: 'on',
      trustProxy: 0,
      reconcileEverySeconds: 30,
      embedded: true,
    });
    expect(config.signup).toBeUndefined();
  });

  it('treats an empty or blank variable as absent', () => {
    expect(readEnvironment({ PORT: '', SIGNUP: '  ', LOG_LEVEL: '\n' })).toMatchObject({
      port: 3000,
      logLevel: 'info',
    });
  });

  it('still takes a setting by its former name, unless it has the present one', () => {
    const former = { TENANT_PLANS: 'small:1', DEFAULT_TENANT_PLAN: 'small' };
    expect(readEnvironment(former)).toMatchObject({ tenantQuotas: { small: 1 }, defaultTenantQuota: 'small' });
    const both = { ...former, TENANT_QUOTAS: 'small:2' };
    expect(readEnvironment(both).tenantQuotas).toEqual({ small: 2 });
  });

  it('cannot be changed', () => {
    const config = completeConfig(readEnvironment({}), found);
    expect(() => Object.assign(config, { port: 1 })).toThrow(TypeError);
    expect(() => Object.assign(config.tenantQuotas, { standard: 0 })).toThrow(TypeError);
  });

  it('writes an IPv6 address in brackets in PUBLIC_URL', () => {
    expect(completeConfig(readEnvironment({ HOST: '0.0.0.0' }), found).publicUrl).toBe('http://localhost:3000');
    expect(completeConfig(readEnvironment({ HOST: '::1', PORT: '80' }), found).publicUrl).toBe('http://[::1]:80');
  });

  it.each([
    ['https://pierhead.example', 'https://pierhead.example', ''],
    ['https://example.com:8443/pierhead/', 'https://example.com:8443', '/pierhead'],
  ])('knows the origin and the path of %s', (url, origin, basePath) => {
    const config = completeConfig(readEnvironment({ PUBLIC_URL: url }), found);
    expect([config.origin, config.basePath]).toEqual([origin, basePath]);
  });

  it('keeps an OpenID issuer as it is written, and reads mail domains in any case', () => {
    const OIDC_ISSUER = 'https://author.eu.auth.example/';
    const env = { OIDC_ISSUER, OIDC_CLIENT_ID: 'pierhead', OIDC_ALLOWED_DOMAINS: 'Author.Example, owl.example' };
    expect(readEnvironment(env)).toMatchObject({
      oidcIssuer: OIDC_ISSUER,
      oidcAllowedDomains: ['author.example', 'owl.example'],
    });
    const local = { ...env, OIDC_ISSUER: 'http://localhost:4000/realm' };
    expect(readEnvironment(local).oidcIssuer).toBe(local.OIDC_ISSUER);
  });

  it('reads a list of keys, the current one first', () => {
    const other = Buffer.alloc(32, 2).toString('base64');
    const { encryptionKeys } = readEnvironment({ ENCRYPTION_KEYS: `new:${other}, old:${KEY}` });
    expect(encryptionKeys?.map(({ id, key }) => [id, key[0]])).toEqual([
      ['new', 2],
      ['old', 1],
    ]);
  });
});

describe('an invalid configuration', () => {
  it.each<[string, string, RegExp]>([
    ['PORT', '70000', /whole number from 0 to 65535/],
    ['PORT', '0x50', /whole number/],
    ['PORT', '-1', /whole number/],
    ['PUBLIC_URL', 'pierhead.example', /absolute http or https URL/],
    ['PUBLIC_URL', 'ftp://pierhead.example', /absolute http or https URL/],
    ['PUBLIC_URL', 'https://me:secret@pierhead.example', /no user name, password/],
    ['PUBLIC_URL', 'https://:secret@pierhead.example', /no user name, password/],
    ['DATABASE_URL', 'mysql://db.example/x', /postgres:\/\//],
    ['DATABASE_POOL', '1', /from 2 to 200/],
    ['MIGRATE_ON_START', 'yes', /true, false/],
    ['ENCRYPTION_KEYS', `k1:${KEY},k1:${KEY}`, /each key id once/],
    ['ENCRYPTION_KEYS', 'k1:c2hvcnQ=', /32 bytes/],
    ['ENCRYPTION_KEYS', KEY, /id:base64key/],
    ['TOKEN_SECRET', 'x'.repeat(31), /at least 32 characters/],
    ['SIGNUP', 'maybe', /open, closed/],
    ['BOOTSTRAP_EMAIL', 'admin', /e-mail address/],
    ['BOOTSTRAP_PASSWORD', 'short', /at least 10/],
    ['TENANT_QUOTAS', 'standard', /name:limit/],
    ['TENANT_QUOTAS', 'standard:many', /name:limit/],
    ['DEFAULT_TENANT_QUOTA', 'gold', /starter, standard, unlimited/],
    ['DEFAULT_TENANT_QUOTA', 'constructor', /starter, standard, unlimited/],
    ['RATE_LIMITS', 'true', /on, off/],
    ['REDIS_URL', 'http://cache.example', /redis:\/\//],
    ['SMTP_URL', 'https://mail.example', /smtp:\/\//],
    ['MAIL_FROM', 'Pierhead', /e-mail address, or a name/],
    ['MAIL_FROM', 'Owls, Inc <owl@author.example>', /e-mail address, or a name/],
    ['MAIL_FROM', 'Pierhead <nobody>', /e-mail address, or a name/],
    ['WEBHOOK_PRIVATE_ADDRESSES', 'yes', /refuse, allow/],
    ['PASSWORD_LOGIN', 'no', /on, off/],
    ['OIDC_ISSUER', 'login.example', /absolute http or https URL/],
    ['OIDC_ISSUER', 'http://login.example', /https URL, unless its host is this machine/],
    ['OIDC_ISSUER', 'https://login.example/?tenant=1', /no query/],
    ['OIDC_ALLOWED_DOMAINS', 'author.example,@author.example', /list of domains/],
    ['OIDC_SIGNUP', 'open', /invited, create/],
    ['LOG_LEVEL', 'loud', /fatal/],
    ['CHROME_API_URL', 'chrome', /absolute http or https URL/],
  ])('names the variable and what it must be: %s=%s', (name, value, says) => {
    const faults = faultsOf({ [name]: value });
    expect(faults).toContainEqual(expect.stringMatching(says));
    expect(faults.find((fault) => says.test(fault))).toMatch(new RegExp(`^${name} `));
  });

  it('never prints the value of a secret', () => {
    const faults = faultsOf({ ENCRYPTION_KEYS: 'marked', TOKEN_SECRET: 'marked', BOOTSTRAP_PASSWORD: 'marked' });
    expect(faults).toHaveLength(3);
    expect(faults.join()).not.toContain('marked');
  });

  it('reports all faults at once, those of several variables together included', () => {
    const faults = faultsOf({ ...SERVER, PORT: 'x', LOG_LEVEL: 'x', BOOTSTRAP_EMAIL: 'me@author.example' });
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
      'PORT',
      'LOG_LEVEL',
      'ENCRYPTION_KEYS',
      'TOKEN_SECRET',
      'CODE_PEPPERS',
      'BOOTSTRAP_EMAIL',
    ]);
  });

  it('does not report an invalid variable as missing', () => {
    const faults = faultsOf({ ...SERVER, ...SECRETS, TOKEN_SECRET: 'short', TENANT_QUOTAS: 'x' });
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual(['TOKEN_SECRET', 'TENANT_QUOTAS']);
  });

  it.each([
    [{ ...SERVER, ...SECRETS, ENCRYPTION_KEYS: '' }, 'ENCRYPTION_KEYS is required with DATABASE_URL'],
    [{ ...SERVER, ...SECRETS, TOKEN_SECRET: '' }, 'TOKEN_SECRET is required with DATABASE_URL'],
    [{ ...SERVER, ...SECRETS, CODE_PEPPERS: '' }, 'CODE_PEPPERS is required with DATABASE_URL'],
    [{ BOOTSTRAP_PASSWORD: 'long enough' }, 'BOOTSTRAP_EMAIL and BOOTSTRAP_PASSWORD must be set together'],
    [{ S3_ACCESS_KEY_ID: 'x' }, 'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together'],
    [{ DATABASE_READ_URL: 'postgres://standby/pierhead' }, 'DATABASE_READ_URL needs DATABASE_URL'],
    [{ SMTP_URL: 'smtp://mail.example' }, 'SMTP_URL and MAIL_FROM must be set together'],
    [{ MAIL_FROM: 'Owl <owl@author.example>' }, 'SMTP_URL and MAIL_FROM must be set together'],
    [{ OIDC_ISSUER: 'https://login.example' }, 'OIDC_ISSUER and OIDC_CLIENT_ID must be set together'],
    [{ OIDC_CLIENT_ID: 'pierhead' }, 'OIDC_ISSUER and OIDC_CLIENT_ID must be set together'],
    [{ PASSWORD_LOGIN: 'off' }, 'PASSWORD_LOGIN=off needs OIDC_ISSUER'],
  ])('names what is missing of %j', (env, says) => {
    expect(faultsOf(env)).toEqual([expect.stringContaining(says)]);
  });

  it('ends the process with exit code 78 and prints to standard error only', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/main.js'], {
      cwd: ROOT,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], PORT: 'x', SIGNUP: 'x' },
    });
    expect({ status, stdout }).toEqual({ status: EXIT_CONFIG, stdout: '' });
    expect(stderr).toMatch(/PORT must be .*\n.*SIGNUP must be/);
    expect(stderr).not.toContain('at ');
  });
});

describe('.env.example', () => {
  it('is what `npm run docs:settings` makes of the settings', () => {
    expect(readFileSync(`${ROOT}/.env.example`, 'utf8')).toBe(envExample());
  });

  it('names every variable, and its defaults are taken as they stand there', () => {
    const lines = envExample()
      .split('\n')
      .flatMap((line) => /^#([A-Z0-9_]+)=(.*)$/.exec(line)?.slice(1, 3) ?? []);
    const given = Object.fromEntries(
      lines.flatMap((name, index) => (index % 2 === 0 ? [[name, lines[index + 1] ?? '']] : [])),
    ) as Readonly<Record<string, string>>;
    expect(Object.keys(given)).toEqual(Object.values<Setting<unknown>>(SETTINGS).map(({ name }) => name));
    expect(readEnvironment(given)).toEqual(readEnvironment({}));
  });
});

describe('docs/configuration.md', () => {
  it('is what `npm run docs:settings` makes of the settings', () => {
    expect(readFileSync(`${ROOT}/docs/configuration.md`, 'utf8')).toBe(configurationGuide());
  });

  it('has a row for every variable, with its default', () => {
    const rows = [...configurationGuide().matchAll(/^\| `(\w+)` +\| (?:`(.+?)`)? *\|/gm)];
    const variables = Object.values<Setting<unknown>>(SETTINGS);
    expect(rows.map(([, name, fallback]) => [name, fallback])).toEqual(
      variables.map(({ name, fallback }) => [name, fallback]),
    );
  });
});
