import { randomBytes } from 'node:crypto';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { openPromise } from 'yauzl';
import { ZipFile as YazlFile } from 'yazl';
import { pg } from '../support/app.js';
import { newDatabase, type TestDatabase } from '../support/database.js';
import { manifestOf, zipOf } from '../support/packages.js';
import { run, startService, type Ended, type Service } from '../support/process.js';

type Env = Readonly<Record<string, string>>;

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OWNER = { email: 'ann@author.example', password: 'a long enough password' };
/** With the characters that end lines somewhere, and those that JSON and SQL quote. */
const TIER = `Night "Owl"\u2028\u0085 'o' \\\\ \u{1f989}`;
const PASSPHRASE = 'MARKED correct horse battery staple';
/** Said of a backup that the configured keys did not seal. */
const OTHERS = 'may not be from this instance';
const KEY_FILES = { ENCRYPTION_KEYS: 'encryption-keys', CODE_PEPPERS: 'code-peppers', TOKEN_SECRET: 'token-secret' };

const backUp = (env: Env): Promise<Ended> => run(['dist/commands/admin.js', 'backup', '--json'], env);
const restore = (env: Env, ...args: readonly string[]): Promise<Ended> =>
  run(['dist/commands/restore.js', ...args], env);
const named = ({ stdout }: Ended): string => (JSON.parse(stdout) as { readonly name: string }).name;

/** Starts a process that the test will interrupt. */
function begin(
  args: readonly string[],
  env: Env,
): { readonly child: ChildProcess; readonly ended: Promise<number | null> } {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ...env },
    stdio: 'ignore',
  });
  return { child, ended: once(child, 'exit').then(([code]) => code as number | null) };
}

/** What a tenant would miss. */
interface Resources {
  readonly extensionId: string;
  readonly artifactId: string;
  readonly zip: Buffer;
  readonly code: string;
}

/** Signs up or logs in, and exchanges the session. */
async function tokenOf(service: Service, route: '/auth/signup' | '/auth/login', body: object): Promise<string> {
  const answer = await service.api.post(route, body);
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  return ((await service.api.as({ cookie }).post('/auth/token')).body as { readonly token: string }).token;
}

/** A package that is not compressed to nothing, a license with a device, and the sealed secret of a webhook. */
async function furnish(service: Service): Promise<Resources> {
  const token = await tokenOf(service, '/auth/signup', { ...OWNER, tenantName: 'Owl & \u{1f989}' });
  const api = service.api.as({ token });
  const { body: extension } = await api.post('/extensions', { name: 'Night Owl' });
  const zip = await zipOf({
    'manifest.json': JSON.stringify(manifestOf('1.0.0')),
    'noise.bin': randomBytes(3_000_000),
  });
  const { body: pushed } = await api.push({ extension: extension.id, version: '1.0.0' }, zip);
  const { body: plan } = await api.post('/plans', { extensionId: extension.id, tier: TIER, maxActivations: 1 });
  const { body: license } = await api.post('/licenses', { planId: plan.id, buyerEmail: 'buyer@home.example' });
  await api.post('/notifications/endpoints', { kind: 'webhook', url: 'https://hooks.example/in', events: ['live'] });
  const resources = { extensionId: extension.id, artifactId: pushed.artifact.id, zip, code: license.code };
  expect(await activated(service, resources, 'one')).toMatchObject({ success: true, seats: { used: 1, max: 1 } });
  return resources;
}

async function activated(service: Service, { code, extensionId }: Resources, fingerprint: string): Promise<unknown> {
  return (await service.api.post('/licensing/activate', { code, extensionId, fingerprint })).body;
}

/** Log-in, package, seats and secrets are as they were. */
async function expectWhole(service: Service, resources: Resources): Promise<void> {
  const token = await tokenOf(service, '/auth/login', OWNER);
  const url = `${service.url}/api/v1/artifacts/${resources.artifactId}/download`;
  const download = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  expect(Buffer.from(await download.arrayBuffer()).equals(resources.zip)).toBe(true);
  expect(await activated(service, resources, 'one')).toMatchObject({ success: true, tier: TIER });
  expect(await activated(service, resources, 'two')).toMatchObject({ success: false, reason: 'seat_limit_reached' });
}

/** What a test reads of a manifest. */
interface Written {
  readonly tables: readonly object[];
}

/** The manifest as versions wrote it that did not seal it. */
const withoutDigests = (manifest: Written): Written => ({
  ...manifest,
  tables: manifest.tables.map((table) => ({ ...table, sha256: undefined })),
});

/** Copies a backup with another manifest, other contents of some of its files, and without others. */
async function tamper(
  from: string,
  to: string,
  change: ((manifest: Written) => unknown) | null,
  files: Readonly<Record<string, string>>,
  without: readonly string[] = [],
): Promise<void> {
  const zip = await openPromise(from, { autoClose: false });
  const contents = new Map<string, Buffer>(
    Object.entries(files).map(([name, content]) => [name, Buffer.from(content)]),
  );
  for await (const entry of zip.eachEntry())
    if (!contents.has(entry.fileName))
      contents.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  zip.close();
  for (const name of without) contents.delete(name);
  if (change !== null) {
    const manifest = JSON.parse(String(contents.get('manifest.json'))) as Written;
    contents.set('manifest.json', Buffer.from(JSON.stringify(change(manifest))));
  }
  const copy = new YazlFile();
  for (const [name, content] of contents) copy.addBuffer(content, name);
  copy.end();
  await writeFile(to, await buffer(copy.outputStream));
}

describe('a backup', () => {
  const folders: string[] = [];
  const databases: TestDatabase[] = [];
  const newServer = async (): Promise<Env> => {
    const database = await newDatabase();
    databases.push(database);
    return { ...keys, DATABASE_URL: database.url, DATA_DIR: await newFolder() };
  };
  const newFolder = async (): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'pierhead-backup-'));
    folders.push(folder);
    return folder;
  };
  let env: Env;
  let service: Service;
  let resources: Resources;
  /** The keys that the first start made, as the operator keeps them elsewhere. */
  let keys: Env;
  let backups: string;
  /** The first backup, made while the service runs on its embedded database, and what it restores to on a server. */
  let made: Ended;
  let atServer: Env;
  let restored: Ended;

  beforeAll(async () => {
    const dataDir = await newFolder();
    backups = await newFolder();
    env = { DATA_DIR: dataDir, BACKUP_TO: backups };
    service = await startService(env);
    resources = await furnish(service);
    const read = async ([name, file]: [string, string]) => [name, (await readFile(join(dataDir, file), 'utf8')).trim()];
    keys = Object.fromEntries(await Promise.all(Object.entries(KEY_FILES).map(read))) as Env;
    made = await backUp(env);
    atServer = { ...(await newServer()), BACKUP_TO: await newFolder() };
    restored = await restore(atServer, join(backups, named(made)));
  }, 300_000);
  afterAll(async () => {
    await service.terminate();
    await service.ended;
    await Promise.all(databases.map((database) => database.drop()));
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
  });

  it('made while the service runs is restored on a server, and that one into an embedded database again', async () => {
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(made.stdout)).toMatchObject({ place: backups, packages: 1, encrypted: false, deleted: [] });
    expect(made.stdout).not.toContain(resources.code);
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    const checked = restore(env, named(made), '--check', '--json');
    const second = await startService(atServer);
    await expectWhole(second, resources);
    const again = await backUp(atServer);
    await second.terminate();
    await second.ended;

    const anew = { ...keys, DATA_DIR: await newFolder(), BACKUP_TO: atServer['BACKUP_TO'] ?? '' };
    expect(await restore(anew, named(again))).toMatchObject({ code: 0, stderr: '' });
    const third = await startService(anew);
    await expectWhole(third, resources);
    await third.terminate();
    await third.ended;

    const check = await checked;
    expect(check).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(check.stdout)).toMatchObject({ packages: 1, missingPackages: [], secretsOpened: 2, faults: [] });
  }, 300_000);

  it('is refused by a database that has tenants, which keeps what it has', async () => {
    const blobs = join(atServer['DATA_DIR'] ?? '', 'blobs');
    await rename(blobs, `${blobs}.away`);
    expect(await restore(atServer, join(backups, named(made)))).toMatchObject({
      code: 1,
      stderr: 'The database has tenants already. Restore into an empty one.\n',
    });
    expect(await readdir(atServer['DATA_DIR'] ?? '')).not.toContain('blobs');
    await rename(`${blobs}.away`, blobs);
    expect((await run(['dist/commands/admin.js', 'users'], atServer)).stdout).toContain(OWNER.email);
  }, 300_000);

  it('is refused by a database of another program, which keeps what it has', async () => {
    const target = await newServer();
    const client = new pg.Client(target['DATABASE_URL'] ?? '');
    await client.connect();
    await client.query('drop schema public cascade; create schema public; create table invoice as select 1 as number');
    expect(await restore(target, join(backups, named(made)))).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'The database has tables of another program. Restore into an empty one.\n',
    });
    const { rows } = await client.query(
      "select relname as name, (select count(*)::int from invoice) as rows from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
    );
    expect(rows).toEqual([{ name: 'invoice', rows: 1 }]);
    await client.end();
  });

  it('names the keys that it lacks, and is worth nothing without them', async () => {
    expect(JSON.parse(made.stdout).keys).toEqual(['CODE_PEPPERS k1', 'ENCRYPTION_KEYS k1', 'TOKEN_SECRET']);
    const without = { DATA_DIR: await newFolder(), BACKUP_TO: backups };
    expect(await restore(without, named(made), '--check')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('ENCRYPTION_KEYS has no key k1'),
    });
    const check = await restore(without, named(made), '--check', '--accept-unauthenticated');
    expect(check).toMatchObject({ code: 1, stderr: '' });
    for (const name of Object.keys(KEY_FILES)) expect(check.stdout).toContain(name);
  }, 300_000);

  it('that is damaged or cut off anywhere is refused', async () => {
    const whole = await readFile(join(backups, named(made)));
    const damaged = Buffer.from(whole);
    damaged.fill(0, 1000, 1500);
    const folder = await newFolder();
    const check = async (bytes: Buffer, at: number): Promise<void> => {
      const path = join(folder, `damaged-${at}.zip`);
      await writeFile(path, bytes);
      const { code, stdout, stderr } = await restore(env, path, '--check');
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).not.toContain('    at ');
    };
    const each = [damaged, whole.subarray(0, whole.length - 1), whole.subarray(0, 20), Buffer.from('no zip')];
    await Promise.all(each.map(check));
  }, 300_000);

  it('whose manifest somebody wrote runs no SQL of it, writes nowhere else and is refused in a sentence', async () => {
    const whole = join(backups, named(made));
    const folder = await newFolder();
    const evil = "FOR VALUES FROM ('2026-01-01') TO ('2026-01-02'); create table pwned ()";
    const day = { name: 'install_day_20260101', rows: 0, partition: { of: 'install_day', bounds: evil } };
    const cases: readonly (readonly [(manifest: Written) => unknown, string])[] = [
      [(manifest) => ({ ...manifest, tables: [...manifest.tables, day] }), 'is not the partition of a day'],
      [(manifest) => ({ ...manifest, tables: [{ name: '/x/y', rows: 0, partition: null }] }), 'tables: 0: name'],
      [() => null, 'is not a JSON object'],
      [() => ({ format: 1 }), 'createdAt'],
    ];
    for (const [index, [change, words]] of cases.entries()) {
      const path = join(folder, `tampered-${index}.zip`);
      await tamper(whole, path, change, { 'tables/install_day_20260101.ndjson': '' });
      const target = await newServer();
      expect(await restore(target, path)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining(OTHERS),
      });
      const { code, stdout, stderr } = await restore(target, path, '--accept-unauthenticated');
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(words);
      expect(stderr).not.toContain('    at ');
      const client = new pg.Client({ connectionString: target['DATABASE_URL'] ?? '' });
      await client.connect();
      const found = await client.query(`select to_regclass('pwned') as pwned`);
      expect(found.rows).toEqual([{ pwned: null }]);
      await client.end();
    }
  }, 300_000);

  it('with a row that is no row, or without end, is refused in a sentence', async () => {
    const whole = join(backups, named(made));
    const folder = await newFolder();
    const check = async (name: string, rows: string): Promise<string> => {
      const path = join(folder, `${name}.zip`);
      await tamper(whole, path, withoutDigests, { 'tables/plan.ndjson': rows });
      const { code, stdout, stderr } = await restore(env, path, '--check', '--accept-unauthenticated');
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).not.toContain('    at ');
      return stderr;
    };
    expect(await check('broken', '{"id":\n')).toContain('plan.ndjson has a row that the table does not take');
    expect(await check('endless', 'x'.repeat(70_000_000))).toContain('plan.ndjson has a row of more than');
  }, 300_000);

  it('that another instance wrote, or somebody changed, is restored only when that is accepted', async () => {
    const whole = join(backups, named(made));
    const folder = await newFolder();
    const check = (path: string, as: Env, ...args: readonly string[]) => restore(as, path, '--check', ...args);
    const refused = { code: 1, stdout: '', stderr: expect.stringContaining(OTHERS) };
    const others = { ...keys, ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}` };
    expect(await check(whole, { ...others, DATA_DIR: await newFolder() })).toMatchObject(refused);

    const emptied = join(folder, 'emptied.zip');
    await tamper(whole, emptied, (manifest) => manifest, { 'tables/audit_entry.ndjson': '' });
    expect(await check(emptied, env)).toMatchObject(refused);

    const unsealed = join(folder, 'unsealed.zip');
    await tamper(whole, unsealed, withoutDigests, {}, ['manifest.seal']);
    expect(await check(unsealed, env)).toMatchObject(refused);
    expect(await check(unsealed, env, '--accept-unauthenticated')).toMatchObject({ code: 0, stderr: '' });
  }, 300_000);

  it('whose rows were replaced under its own manifest is refused', async () => {
    const path = join(await newFolder(), 'replaced.zip');
    await tamper(join(backups, named(made)), path, null, { 'tables/audit_entry.ndjson': '' });
    expect(await restore(env, path, '--check')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'tables/audit_entry.ndjson in the backup is not the file that its manifest names.\n',
    });
  }, 300_000);

  it('that is killed leaves nothing that looks like one, and what it leaves only until the next', async () => {
    const folder = await newFolder();
    const uploads = join(env['DATA_DIR'] ?? '', 'uploads');
    const interrupt = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> => {
      const before = new Set(await readdir(folder));
      const backup = begin(['dist/commands/admin.js', 'backup'], { ...env, BACKUP_TO: folder });
      while ((await readdir(folder)).every((name) => before.has(name)) && backup.child.exitCode === null)
        await new Promise(setImmediate);
      backup.child.kill(signal);
      return backup.ended;
    };
    const partials = async () => (await readdir(folder)).filter((name) => !name.endsWith('.zip'));
    await interrupt('SIGKILL');
    for (const name of await partials()) expect(name).toMatch(/\.zip\.of-.*\.partial$/);
    expect([0, 143]).toContain(await interrupt('SIGTERM'));
    expect([await partials(), await readdir(uploads)]).toEqual([[], []]);
    for (const name of await readdir(folder))
      expect(await restore(env, join(folder, name), '--check')).toMatchObject({ code: 0 });
  }, 300_000);

  it('leaves nothing decrypted on the disk when its restore is interrupted, or killed and followed by another', async () => {
    const DATA_DIR = await newFolder();
    const uploads = join(DATA_DIR, 'uploads');
    const unpacked = async () => (await readdir(uploads, { recursive: true }).catch(() => [])).join('\n');
    // While rows are unpacked, and while another process creates the temporary database.
    for (const moment of ['tables/license.ndjson', 'PG_VERSION'])
      for (const [signal, code] of [
        ['SIGTERM', 143],
        ['SIGKILL', null],
      ] as const) {
        const check = begin(['dist/commands/restore.js', join(backups, named(made)), '--check'], { ...keys, DATA_DIR });
        while (!(await unpacked()).includes(moment) && check.child.exitCode === null) await pause(1);
        check.child.kill(signal);
        expect(await check.ended).toBe(code);
        expect((await unpacked()) === '').toBe(signal === 'SIGTERM');
      }
    expect(await restore({ DATA_DIR }, 'pierhead-20261122T000000000Z.zip')).toMatchObject({ code: 1 });
    expect(await unpacked()).toBe('');
  }, 300_000);

  it('of the schedule whose process is killed is whole or none, and another process makes it', async () => {
    const folder = await newFolder();
    const scheduled = { ...atServer, BACKUP_TO: folder, BACKUP_EVERY_HOURS: '1', RECONCILE_EVERY_SECONDS: '1' };
    const wholes = async () => (await readdir(folder)).filter((name) => name.endsWith('.zip'));
    const expectRestores = async (name: string) =>
      expect(await restore(await newServer(), join(folder, name))).toMatchObject({ code: 0, stderr: '' });
    const client = new pg.Client(atServer['DATABASE_URL'] ?? '');
    await client.connect();
    // A table of another program beside Pierhead's does not keep a backup from being restored.
    await client.query('create table invoice as select 1 as number');
    /** The one that is due next, which is due at once from now on, and no longer kept by a process that was killed. */
    const nextRun = async (killed: string | null = null): Promise<{ readonly token: string | null } | undefined> => {
      const sql = `update backup_run set due_at = least(due_at, now()),
          lease_until = case lease_token when $1 then now() else lease_until end where state = 'due' returning lease_token as token`;
      return (await client.query<{ token: string | null }>(sql, [killed])).rows[0];
    };
    const first = await startService(scheduled);
    while ((await nextRun()) === undefined) await pause(50);
    while ((await readdir(folder)).length === 0) await new Promise(setImmediate);
    await first.kill();
    const killed = (await nextRun())?.token ?? null;
    const left = await wholes();
    for (const name of left) await expectRestores(name);

    const next = await startService({ ...scheduled, DATA_DIR: await newFolder() });
    for (; !next.said.includes('backup made'); await pause(50)) await nextRun(killed);
    await next.kill();
    await client.end();
    if (killed !== null) expect(next.said).toContain('backup failed');
    const other = (await wholes()).filter((name) => !left.includes(name));
    expect(other).toHaveLength(1);
    for (const name of other) await expectRestores(name);
  }, 300_000);

  it('is encrypted by a passphrase, or for a key that only the restore needs', async () => {
    const plain = await readFile(join(backups, named(made)));
    expect(plain.includes('manifest.json')).toBe(true);
    const to = await newFolder();
    const sealed = named(await backUp({ ...env, BACKUP_TO: to, BACKUP_PASSPHRASE: PASSPHRASE }));
    expect(sealed).toMatch(/\.zip\.age$/);
    expect((await readFile(join(to, sealed))).includes('manifest.json')).toBe(false);
    const wrong = { ...env, BACKUP_PASSPHRASE: 'another passphrase' };
    const [opened, refused] = await Promise.all([
      restore({ ...(await newServer()), BACKUP_PASSPHRASE: PASSPHRASE }, join(to, sealed)),
      restore(wrong, join(to, sealed), '--check'),
    ]);
    expect([opened, refused]).toMatchObject([{ code: 0 }, { code: 1, stdout: '' }]);

    const identity = await generateX25519Identity();
    const file = join(await newFolder(), 'key.txt');
    await writeFile(file, `# created: today\n${identity}\n`);
    const forKey = named(
      await backUp({ ...env, BACKUP_TO: to, BACKUP_RECIPIENTS: await identityToRecipient(identity) }),
    );
    const [withKey, without] = await Promise.all([
      restore(await newServer(), join(to, forKey), '--identity', file),
      restore(env, join(to, forKey), '--check'),
    ]);
    expect([withKey, without]).toMatchObject([{ code: 0 }, { code: 1, stdout: '' }]);
  }, 300_000);

  it('of a newer version is refused', async () => {
    const { openPromise } = await import('yauzl');
    const zip = await openPromise(join(backups, named(made)), { autoClose: false });
    const files: Record<string, Buffer> = {};
    for await (const entry of zip.eachEntry()) {
      const chunks: Buffer[] = [];
      for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
      files[entry.fileName] = Buffer.concat(chunks);
    }
    zip.close();
    const manifest = JSON.parse(String(files['manifest.json'])) as { readonly migrations: string[] };
    manifest.migrations.push('Future1999000000000');
    const path = join(await newFolder(), 'newer.zip');
    await writeFile(path, await zipOf({ ...files, 'manifest.json': JSON.stringify(manifest) }));
    expect(await restore(env, path, '--check', '--accept-unauthenticated')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Future1999000000000'),
    });
  }, 300_000);
});
