import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SETTINGS } from '../../src/common/config/index.js';
import { pg, PROCESSOR_IDS } from '../support/app.js';
import { newDatabase, type TestDatabase } from '../support/database.js';
import { run, startService, type Ended, type Service } from '../support/process.js';

type Env = Readonly<Record<string, string>>;

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly message: string;
  readonly remedy: string | null;
}

const SECRET = 'MARKED-83kd92';
const KEY = `k1:${Buffer.alloc(32, 9).toString('base64')}`;
const SERVER_KEYS = { ENCRYPTION_KEYS: KEY, CODE_PEPPERS: KEY, TOKEN_SECRET: `${SECRET} of at least 32 characters` };
const BUCKET = { S3_BUCKET: 'packages', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: SECRET };
const REMOTES = [
  'CHROME_API_URL',
  'CHROME_TOKEN_URL',
  'CHROME_UPDATE_URL',
  'AMO_API_URL',
  'EDGE_API_URL',
  'EDGE_PUBLIC_URL',
  'EDGE_UPDATE_URL',
  'ASC_API_URL',
  'APP_STORE_LOOKUP_URL',
  ...PROCESSOR_IDS.map((id) => SETTINGS[`${id}ApiUrl`].name),
];

describe('the doctor', () => {
  let folder: string;
  let env: Env;
  let service: Service;
  let database: TestDatabase;
  let atServer: Env;
  /** Answers 404, under /late with the time of an hour ago. */
  let store: Server;
  let storeUrl: string;
  /** Takes connections and says nothing. */
  const silent = createServer();
  let silentPort: number;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pierhead-doctor-'));
    store = createHttpServer((request, response) => {
      if (request.url === '/late') response.setHeader('date', new Date(Date.now() - 3_600_000).toUTCString());
      response.writeHead(404).end();
    });
    for (const server of [store, silent]) await once(server.listen(0, '127.0.0.1'), 'listening');
    storeUrl = `http://127.0.0.1:${(store.address() as AddressInfo).port}`;
    silentPort = (silent.address() as AddressInfo).port;
    env = { DATA_DIR: join(folder, 'data'), ...Object.fromEntries(REMOTES.map((name) => [name, storeUrl])) };
    service = await startService(env);
    database = await newDatabase();
    atServer = { ...env, ...SERVER_KEYS, DATABASE_URL: database.url };
    expect(await run(['dist/commands/migrate.js'], atServer)).toMatchObject({ code: 0 });
    await writeFile(join(folder, 'file'), '');
  });
  afterAll(async () => {
    await service.kill();
    store.close();
    silent.close();
    await database.drop();
    await rm(folder, { recursive: true });
  });

  const doctor = async (given: Env): Promise<Ended & { readonly findings: readonly Finding[] }> => {
    const ended = await run(['dist/commands/doctor.js', '--json'], given);
    expect(ended.stdout + ended.stderr).not.toContain(SECRET);
    return { ...ended, findings: JSON.parse(ended.stdout) as readonly Finding[] };
  };
  const faultsOf = (findings: readonly Finding[]): string[] =>
    findings.filter(({ state }) => state === 'fault').map(({ check, message }) => `${check}: ${message}`);

  it('finds nothing wrong beside a running service, without one, and before the first start, and leaves nothing behind', async () => {
    const before = await readdir(env['DATA_DIR'] ?? '');
    const beside = await doctor({ ...env, PORT: new URL(service.url).port, PUBLIC_URL: service.url });
    expect({ code: beside.code, faults: faultsOf(beside.findings) }).toEqual({ code: 0, faults: [] });
    const said = Object.fromEntries(beside.findings.map(({ check, message }) => [check, message]));
    expect(said).toMatchObject({
      migrations: expect.stringMatching(/^The schema is \w+, the one of version \d/),
      keys: expect.stringContaining('They match the database'),
      'public url': `${service.url} leads to Pierhead.`,
      ...Object.fromEntries(PROCESSOR_IDS.map((id) => [id, 'It answers.'])),
    });
    expect(await readdir(env['DATA_DIR'] ?? '')).toEqual(before);
    await service.kill();
    expect(await doctor(env)).toMatchObject({ code: 0 });
    expect(await doctor({ ...env, DATA_DIR: join(folder, 'none') })).toMatchObject({ code: 0 });
    expect(await readdir(folder)).not.toContain('none');
  });

  it.each<[string, (at: Env) => Env, readonly (string | RegExp)[]]>([
    [
      'settings',
      () => ({ PORT: 'abc', BACKUP_TO: 'bucket' }),
      [/^settings: PORT must/, /^settings: BACKUP_TO=bucket needs/],
    ],
    [
      'a key',
      () => ({ DATABASE_URL: '', ENCRYPTION_KEYS: KEY }),
      [/^keys: ENCRYPTION_KEYS key “k1” is not the key in use/],
    ],
    [
      'a database that nobody serves',
      () => ({ DATABASE_URL: `postgres://pierhead:${SECRET}@127.0.0.1:1/pierhead` }),
      [/^database: PostgreSQL at DATABASE_URL cannot be reached: ECONNREFUSED/],
    ],
    [
      'the name of a database',
      ({ DATABASE_URL = '' }) => ({ DATABASE_URL: `${DATABASE_URL}_not` }),
      [/^database: PostgreSQL refuses the connection of DATABASE_URL: .*does not exist/],
    ],
    [
      'servers that do not run',
      () => ({
        REDIS_URL: `redis://:${SECRET}@127.0.0.1:1`,
        SMTP_URL: `smtp://me:${SECRET}@127.0.0.1:1`,
        MAIL_FROM: 'a@author.example',
        ...BUCKET,
        S3_ENDPOINT: 'http://127.0.0.1:1',
        DATABASE_READ_URL: `postgres://pierhead:${SECRET}@127.0.0.1:1/pierhead`,
        OIDC_ISSUER: 'http://127.0.0.1:1',
        OIDC_CLIENT_ID: 'pierhead',
      }),
      [
        /^standby: .*ECONNREFUSED/,
        /^bucket: .*ECONNREFUSED/,
        /^redis: .*ECONNREFUSED/,
        /^mail server: .*ESOCKET|ECONNECTION/,
        /^sign-in: .*cannot be reached/,
      ],
    ],
    ['folders', () => ({ BACKUP_TO: join(folder, 'file') }), [/^backups: .*file is not writable/]],
    [
      'what cannot be made, read or found',
      ({ DATABASE_URL = '' }) => ({
        DATA_DIR: '/proc/pierhead',
        BACKUP_TO: join(folder, 'file', 'backups'),
        COUNTRY_MMDB: join(folder, 'file'),
        ADDONS_LINTER: join(folder, 'absent'),
        DATABASE_READ_URL: DATABASE_URL,
        OIDC_ISSUER: `${storeUrl}/realm`,
        OIDC_CLIENT_ID: 'pierhead',
      }),
      [
        /^standby: DATABASE_READ_URL leads to a primary/,
        /^disk: \/proc\/pierhead cannot be created: \/proc is not writable/,
        /^backups: .*backups cannot be created: .*file is not writable/,
        /^countries: COUNTRY_MMDB must be the path of a MaxMind DB file/,
        /^addons-linter: ADDONS_LINTER must be the path of addons-linter: ENOENT/,
        /^sign-in: .*realm answered 404, but not with a discovery document/,
      ],
    ],
    ['the address', () => ({ PUBLIC_URL: 'https://pierhead.example' }), [/^proxies: TRUST_PROXY is 0/]],
    ['encryption', () => ({ PUBLIC_URL: 'http://pierhead.example' }), [/^public url: .*not encrypted/]],
    [
      'the clock, and a bucket that is not there',
      () => ({ CHROME_API_URL: `${storeUrl}/late`, ...BUCKET, S3_ENDPOINT: storeUrl }),
      [/^bucket: .*it answers 404: there is no such bucket/, /^chrome: This machine's clock is 36\d\d seconds ahead/],
    ],
  ])(
    'names %s, with a remedy, and ends with 1',
    async (_, change, expected) => {
      const { code, findings } = await doctor({ ...atServer, ...change(atServer) });
      expect(faultsOf(findings)).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
      expect(code).toBe(1);
      for (const { state, remedy } of findings) if (state === 'fault') expect(remedy).toMatch(/\.$/);
    },
    60_000,
  );

  it('names a store that somebody uses, and a schema of a newer version', async () => {
    const client = new pg.Client(database.url);
    await client.connect();
    await client.query(
      `insert into migration (timestamp, name, oldest_version) values (1999000000000, 'Future1999000000000', '99.0.0')`,
    );
    await client.query(`insert into tenant (id, created_at, updated_at, name, quota)
      values (gen_random_uuid(), now(), now(), 'One', 'standard')`);
    await client.query(`insert into credential (id, created_at, updated_at, tenant_id, store, last_four, verified_at, identity, sealed)
      select gen_random_uuid(), now(), now(), id, 'edge', 'abcd', now(), 'one', 'sealed' from tenant`);
    await client.end();
    const { findings } = await doctor({
      ...atServer,
      EDGE_API_URL: 'http://127.0.0.1:1',
      ASC_API_URL: 'http://127.0.0.1:1',
    });
    expect(faultsOf(findings)).toEqual([
      expect.stringMatching(/^migrations: .*Future1999000000000/),
      expect.stringMatching(/^edge: 127.0.0.1:1 cannot be reached/),
    ]);
    expect(findings.find(({ check }) => check === 'safari')).toMatchObject({ state: 'warning' });
  });

  it('ends although hosts are silent', async () => {
    const silentUrl = `http://127.0.0.1:${silentPort}`;
    const { code, findings } = await doctor({
      ...atServer,
      DATABASE_URL: `postgres://pierhead:${SECRET}@127.0.0.1:${silentPort}/pierhead`,
      REDIS_URL: `redis://127.0.0.1:${silentPort}`,
      SMTP_URL: `smtp://127.0.0.1:${silentPort}`,
      MAIL_FROM: 'a@author.example',
      ...BUCKET,
      S3_ENDPOINT: silentUrl,
      CHROME_API_URL: silentUrl,
    });
    expect(code).toBe(1);
    expect(faultsOf(findings).map((one) => one.split(':')[0])).toEqual(['database', 'bucket', 'redis', 'mail server']);
    expect(findings.find(({ check }) => check === 'chrome')).toMatchObject({ state: 'warning' });
  });
});
