import { randomBytes } from 'node:crypto';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SandboxControl } from '../../sandbox/sandbox-control.js';
import { startWorld, type World, DataSource, readEnvironment, LostKeys, verifyKeys } from '../support/app.js';
import { newDatabase, type TestDatabase } from '../support/database.js';
import { expectStatus, Given, type Licensed } from '../support/given.js';
import { run, startService, type Service } from '../support/process.js';
import { isOnServer } from './machine.js';

const EX_CONFIG = 78;
/** A cluster of the embedded database takes seconds of processor time to make, and minutes on a busy machine. */
const MAKES_CLUSTER_MS = 300_000;
const ring = (...ids: readonly string[]): string =>
  ids.map((id) => `${id}:${randomBytes(32).toString('base64')}`).join();

type Keys = Readonly<Record<'ENCRYPTION_KEYS' | 'CODE_PEPPERS' | 'TOKEN_SECRET', string>>;
const newKeys = (): Keys => ({
  ENCRYPTION_KEYS: ring('k1'),
  CODE_PEPPERS: ring('k1'),
  TOKEN_SECRET: randomBytes(32).toString('hex'),
});

/** A database with everything that its operator keeps: keys in files of DATA_DIR when it is embedded, in variables when it is on a server. */
class Installation {
  running: Service | null = null;

  private constructor(
    readonly dataDir: string,
    private readonly database: TestDatabase | null,
    readonly keys: Keys,
  ) {}

  static async make(): Promise<Installation> {
    const dataDir = await mkdtemp(join(tmpdir(), 'pierhead-keys-'));
    return new Installation(dataDir, isOnServer ? await newDatabase() : null, newKeys());
  }

  /** How it starts with these keys; one that is null is lost. */
  async settings(changed: Partial<Record<keyof Keys, string | null>> = {}): Promise<Record<string, string>> {
    const env: Record<string, string> = { DATA_DIR: this.dataDir, SIGNUP: 'open', RATE_LIMITS: 'off' };
    for (const [name, value] of Object.entries({ ...this.keys, ...changed })) {
      if (this.database !== null && value !== null) env[name] = value;
      if (this.database !== null) continue;
      const file = this.fileOf(name);
      await (value === null ? rm(file, { force: true }) : writeFile(file, `${value}\n`));
    }
    return this.database === null ? env : { ...env, DATABASE_URL: this.database.url };
  }

  fileOf(name: string): string {
    return join(this.dataDir, name.toLowerCase().replaceAll('_', '-'));
  }

  /** Starts it, ending the process before. */
  async start(changed: Partial<Keys> = {}, args: readonly string[] = []): Promise<Service> {
    await this.stop();
    this.running = await startService(await this.settings(changed), args);
    return this.running;
  }

  async stop(): Promise<void> {
    await this.running?.terminate();
    await this.running?.ended;
    this.running = null;
  }

  async remove(): Promise<void> {
    await this.stop();
    await this.database?.drop();
    await rm(this.dataDir, { recursive: true });
  }
}

const isReady = async ({ url }: { readonly url: string }): Promise<number> =>
  (await fetch(`${url}/health/ready`)).status;
const activate = async ({ api }: Pick<Service, 'api'>, { code, extensionId }: Licensed) =>
  (await api.post('/licensing/activate', { code, extensionId, fingerprint: 'of the only device' })).body;

describe('a database whose keys are in use', () => {
  let installation: Installation;
  let sold: Licensed;
  beforeAll(async () => {
    installation = await Installation.make();
    const service = await installation.start();
    const given = new Given(service.api, new SandboxControl(service.url));
    sold = await given.licensed();
    expect(await activate(service, sold)).toMatchObject({ success: true });
    expect(await isReady(service)).toBe(200);
    await installation.stop();
  }, MAKES_CLUSTER_MS);
  afterAll(() => installation.remove());

  it('does not start with other keys, and names each with its place and the consequence', async () => {
    const others = newKeys();
    const { code, stdout, stderr } = await run(['dist/main.js'], await installation.settings(others));
    for (const [name, value] of Object.entries(others)) {
      const key = name === 'TOKEN_SECRET' ? name : `${name} key “k1”`;
      const place = isOnServer ? `the variable ${name}` : `the file ${installation.fileOf(name)}`;
      expect(stderr).toContain(`  - ${key} is not the key in use. Pierhead looks for it in ${place}`);
      expect(stderr).not.toContain(value.split(':').at(-1));
    }
    expect(stderr).toMatch(/needed by 2 lease keys\. .*cannot publish or process payments/);
    expect(stderr).toMatch(/needed by 1 license\. .*cannot activate until each code is rotated/);
    expect(stderr).toMatch(/needed by 1 access token\. .*every access token is refused/);
    expect(stderr).toContain('--accept-lost-keys');
    expect({ code, listened: stdout.includes('listening') }).toEqual({ code: EX_CONFIG, listened: false });
  });

  it('does not start without the keys that it needs, and generates none in their place', async () => {
    const lost = isOnServer
      ? { ENCRYPTION_KEYS: ring('k2'), CODE_PEPPERS: ring('k2') }
      : { ENCRYPTION_KEYS: null, CODE_PEPPERS: null, TOKEN_SECRET: null };
    const { code, stderr } = await run(['dist/main.js'], await installation.settings(lost));
    expect(code).toBe(EX_CONFIG);
    for (const name of Object.keys(lost)) {
      expect(stderr).toMatch(new RegExp(`- ${name} .*is missing\\. Pierhead looks`));
      if (!isOnServer) await expect(access(installation.fileOf(name))).rejects.toMatchObject({ code: 'ENOENT' });
    }
  });

  it('starts without lost keys when told to, and recovers once codes are rotated', async () => {
    const service = await installation.start(newKeys(), ['--accept-lost-keys']);
    expect(service.said.filter((message) => message.startsWith('Starting without a lost key.'))).not.toEqual([]);
    expect(await isReady(service)).toBe(200);
    expect(await activate(service, sold)).toMatchObject({ success: false, reason: 'invalid_code' });
    expect((await service.api.as(sold).get('/extensions')).status).toBe(401);
    const { email, password, licenseId } = sold;
    const login = expectStatus(await service.api.post('/auth/login', { email, password }), 200);
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
    const token = await new Given(service.api, new SandboxControl(service.url)).token({ cookie });
    const { body } = expectStatus(await service.api.as({ token }).post(`/licenses/${licenseId}/rotate`), 200);
    expect(await activate(service, { ...sold, code: body.code })).toMatchObject({ success: true });
  });
});

describe('keys in the database', () => {
  let source: DataSource;
  let world: World;
  const keys = newKeys();
  beforeAll(async () => {
    world = await startWorld({ env: keys });
    source = world.app.get(DataSource);
  });
  afterAll(() => world.close());

  const verify = (given: Keys, acceptLost = false, { url }: TestDatabase = world.database) =>
    verifyKeys(url, readEnvironment({ ...given, DATABASE_URL: url }), acceptLost);

  it('are stored as fingerprints only', async () => {
    await verify(keys);
    const rows = await source.query<{ setting: string; key_id: string; fingerprint: Buffer }[]>(
      'select * from key_fingerprint order by setting',
    );
    expect(rows.map(({ setting, key_id: id }) => [setting, id])).toEqual([
      ['CODE_PEPPERS', 'k1'],
      ['ENCRYPTION_KEYS', 'k1'],
      ['TOKEN_SECRET', ''],
    ]);
    const texts = rows.flatMap(({ fingerprint }) => [fingerprint.toString('base64'), fingerprint.toString()]);
    for (const key of Object.values(keys))
      for (const text of texts) expect(key.includes(text) || text.includes(key.split(':').at(-1) ?? key)).toBe(false);
  });

  it('make a process with other keys report not ready', async () => {
    await verify(keys);
    expect(await isReady(world)).toBe(200);
    const other = await startWorld({ with: world, env: newKeys() });
    expect(await (await fetch(`${other.url}/health/ready`)).json()).toMatchObject({
      status: 'error',
      error: { keys: { status: 'down' } },
    });
    await other.close();
    // Another process has gone on without them meanwhile.
    await verify({ ...keys, TOKEN_SECRET: newKeys().TOKEN_SECRET }, true);
    expect(await isReady(world)).toBe(503);
    await verify(keys, true);
    expect(await isReady(world)).toBe(200);
  });

  it('are rotated with two of each: sealed values move at once, a license when its code is next used', async () => {
    const [sold, idle] = [await world.given.licensed(), await world.given.licensed()];
    expect(await activate(world, sold)).toMatchObject({ success: true });
    await verify(keys);
    const [sealing, peppering] = [ring('k2'), ring('k2')];
    const both = {
      ...keys,
      ENCRYPTION_KEYS: `${sealing},${keys.ENCRYPTION_KEYS}`,
      CODE_PEPPERS: `${peppering},${keys.CODE_PEPPERS}`,
    };
    expect((await verify(both)).notes).toEqual([
      'Nothing uses ENCRYPTION_KEYS key “k1” any more. You can remove it.',
      'CODE_PEPPERS key “k1” is still needed by 2 licenses.',
    ]);
    const changing = await startWorld({ with: world, env: both });
    expect(await activate(changing, sold)).toMatchObject({ success: true });
    await expect(verify({ ...both, CODE_PEPPERS: peppering })).rejects.toThrow(
      /CODE_PEPPERS key “k1” is missing\..* It is needed by 1 license\./,
    );
    await verify({ ...both, ENCRYPTION_KEYS: sealing });
    expect(await activate(changing, idle)).toMatchObject({ success: true });
    await changing.close();

    const changed = { ...both, ENCRYPTION_KEYS: sealing, CODE_PEPPERS: peppering };
    expect((await verify(changed)).notes).toEqual([]);
    const after = await startWorld({ with: world, env: changed });
    expect(await isReady(after)).toBe(200);
    for (const license of [sold, idle]) expect(await activate(after, license)).toMatchObject({ success: true });
    await after.close();
  });

  it('are required even before they have a fingerprint', async () => {
    const old = await startWorld({ env: keys });
    const schema = old.app.get(DataSource);
    await old.given.licensed();
    await verify(keys, false, old.database);
    await schema.query('update key_fingerprint set fingerprint = null');
    await expect(verify({ ...newKeys(), CODE_PEPPERS: ring('other') }, false, old.database)).rejects.toThrow(
      'CODE_PEPPERS key “k1” is missing.',
    );
    await verify(keys, false, old.database);
    await expect(verify(newKeys(), false, old.database)).rejects.toBeInstanceOf(LostKeys);
    await old.close();
  });

  it('are the same for processes that start together on a new database', async () => {
    const empty = await newDatabase();
    const starts = Array.from({ length: 4 }, () => verify(newKeys(), false, empty));
    const outcomes = (await Promise.allSettled(starts)).map(({ status }) => status);
    expect(outcomes.filter((status) => status === 'fulfilled')).toHaveLength(1);
    await empty.drop();
  });
});
