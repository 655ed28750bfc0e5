import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { lstat, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectStatus, Given } from '../support/given.js';
import { startService, versionLine, type Service } from '../support/process.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = 'node_modules/.bin/pierhead-service';
const MAX_PACKAGES = 320;
const MAX_BYTES = 160e6;
/** Minutes on a busy machine, most of them npm's. */
const INSTALLS_MS = 600_000;

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly hasInstallScript?: boolean }>>;
}

const execute = promisify(execFile);
const readLock = async (path: string): Promise<Lock['packages']> =>
  (JSON.parse(await readFile(path, 'utf8')) as Lock).packages;

/** Bytes in the files of a folder. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map((entry) => lstat(join(entry.parentPath, entry.name))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}

describe('the package of the service, installed in an empty folder', () => {
  let folder: string;
  let version: string;
  let service: Service | undefined;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pierhead-install-'));
    const { stdout } = await execute(process.execPath, [join(ROOT, 'scripts/pack.mjs')], { cwd: folder });
    ({ version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { readonly version: string });
    expect(stdout.trim()).toBe(join(folder, `pierhead-service-${version}.tgz`));
    await execute('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', stdout.trim()], { cwd: folder });
  }, INSTALLS_MS);
  afterAll(async () => {
    await service?.kill();
    await rm(folder, { recursive: true });
  });

  const run = (...args: readonly string[]): Promise<{ readonly stdout: string }> =>
    execute(process.execPath, [PROGRAM, ...args], { cwd: folder, env: { PATH: process.env['PATH'] } });

  it('is of at most 320 packages and 160 MB', async () => {
    const { length } = Object.keys(await readLock(join(folder, 'node_modules/.package-lock.json')));
    expect(length).toBeLessThanOrEqual(MAX_PACKAGES);
    expect(await sizeOf(join(folder, 'node_modules'))).toBeLessThan(MAX_BYTES);
  });

  it('has the versions that this clone is tested with, and needs no script that runs when it is installed', async () => {
    const [installed, tested] = await Promise.all([
      readLock(join(folder, 'node_modules/.package-lock.json')),
      readLock(join(ROOT, 'package-lock.json')),
    ]);
    const others = Object.entries(installed)
      .filter(([path, { version }]) => tested[path]?.version !== version)
      .map(([path]) => path.slice('node_modules/'.length))
      // The package itself, what is installed twice, and what the clone overrides.
      .filter((name) => name !== 'pierhead-service' && !name.includes('node_modules/') && name !== 'file-type');
    expect(others).toEqual([]);
    const withScripts = Object.entries(installed).filter(([, { hasInstallScript }]) => hasInstallScript === true);
    // Swagger UI's, which reports the installation to its maker: the guide to operating turns it off.
    expect(withScripts.map(([path]) => path)).toEqual(['node_modules/@scarf/scarf']);
  });

  it('starts on the embedded database in the folder, and activates a license for a new account', async () => {
    service = await startService({}, [], { folder, program: PROGRAM });
    expect(existsSync(join(folder, 'data/postgres'))).toBe(true);
    const given = new Given(service.api, {} as ConstructorParameters<typeof Given>[1]);
    const { code, extensionId } = await given.licensed();
    const device = { code, extensionId, fingerprint: 'a device' };
    expect(expectStatus(await service.api.post('/licensing/activate', device), 200).body).toMatchObject({
      isActive: true,
      seats: { used: 1 },
    });
  });

  it('serves the console, the API, its documents and the clients', async () => {
    const { url = '' } = service ?? {};
    const paths = ['/', '/api/docs/', '/api/v1/auth/methods', '/health/ready', '/schemas/pierhead.json'];
    const answers = await Promise.all([...paths, '/cli/pierhead.tgz'].map((path) => fetch(url + path)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { items } = (await (await fetch(`${url}/clients/`)).json()) as { readonly items: readonly unknown[] };
    expect(items).toHaveLength(3);
  });

  it('runs the commands of the operator beside it, and names them as they are typed here', async () => {
    expect((await run('admin', 'users')).stdout).toContain('@author.example');
    const { name } = JSON.parse((await run('backup', '--json')).stdout) as { readonly name: string };
    expect((await run('restore', join('data/backups', name), '--check')).stdout).toMatch(/^Checked the backup of /);
    expect((await run('doctor', '--help')).stdout).toMatch(/^Usage: npx pierhead-service doctor \[options\]\n/);
    expect((await run('--help')).stdout).toMatch(/^Usage: npx pierhead-service /);
    await expect(run('upgrade')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no command upgrade'),
    });
    await expect(run('migrate')).rejects.toMatchObject({ code: 78 });
  });

  it('names its version and its commit', async () => {
    const { stdout } = await run('--version');
    expect(stdout).toMatch(versionLine(version));
    for (const command of ['admin', 'backup', 'restore', 'doctor', 'migrate'])
      expect(await run(command, '--version')).toMatchObject({ stdout });
    const full = stdout.trim();
    const commit = /\((.+)\)/.exec(full)?.[1] ?? '';
    expect(await (await fetch(`${service?.url}/metrics`)).text()).toContain(
      `pierhead_build_info{version="${version}",commit="${commit}`,
    );
    const [name = ''] = await readdir(join(folder, 'data/backups'));
    expect((await run('restore', join('data/backups', name), '--check')).stdout).toContain(`made by version ${full}: `);
    expect((await run('doctor').catch((failed: { stdout: string }) => failed)).stdout).toContain(`of version ${full}.`);
  });

  it('ends when it is asked to, and has everything at its next start', async () => {
    await service?.terminate();
    expect(await service?.ended).toMatchObject({ code: 0, stderr: '' });
    service = await startService({}, [], { folder, program: PROGRAM });
    expect((await run('admin', 'users')).stdout).toContain('@author.example');
  });
});
