import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { versionLine } from '../support/process.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const tool = (name: string): string => join(ROOT, 'test/node_modules/.bin', name);
const execute = promisify(execFile);

/** How each package manager adds a development dependency, installs what its lock file says, and calls that file. */
const MANAGERS = [
  { name: 'npm', program: 'npm', add: ['install', '-D'], again: ['ci'], lockFile: 'package-lock.json' },
  {
    name: 'pnpm',
    program: tool('pnpm'),
    add: ['add', '-D'],
    again: ['install', '--frozen-lockfile'],
    lockFile: 'pnpm-lock.yaml',
  },
] as const;

describe('the clients of a service', () => {
  let world: World;
  let version: string;
  let folder: string;
  beforeAll(async () => {
    world = await startWorld();
    const manifest = await readFile(join(ROOT, 'package.json'), 'utf8');
    ({ version } = JSON.parse(manifest) as { readonly version: string });
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pierhead-clients-'));
    await mkdir(join(folder, 'mine'));
    await writeFile(join(folder, 'mine/package.json'), '{ "name": "mine", "private": true, "type": "module" }');
  });
  afterEach(() => rm(folder, { recursive: true }));
  afterAll(() => world.close());

  /** Runs a program in the project, with caches of its own. */
  const run = async (program: string, args: readonly string[]): Promise<string> => {
    const own = { HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder, XDG_CACHE_HOME: folder };
    const env = {
      PATH: process.env['PATH'],
      npm_config_cache: join(folder, 'cache'),
      npm_config_audit: 'false',
      ...own,
    };
    return (await execute(program, args, { cwd: join(folder, 'mine'), env })).stdout;
  };
  const works = async (): Promise<void> => {
    expect(await run('npx', ['--no-install', 'pierhead', '--version'])).toMatch(versionLine(version));
    const imports =
      "const { createLicensing } = await import('@pierhead/licensing'); console.log(typeof createLicensing)";
    expect((await run(process.execPath, ['--input-type=module', '--eval', imports])).trim()).toBe('function');
  };
  const files = (): readonly string[] => ['pierhead', 'pierhead-licensing'].map((name) => `${name}-${version}.tgz`);

  it.each(MANAGERS)('are installed by $name from their addresses, which its lock file pins', async (manager) => {
    const addresses = files().map((file) => `${world.url}/clients/${file}`);
    await run(manager.program, [...manager.add, ...addresses]);
    await works();
    const lock = await readFile(join(folder, 'mine', manager.lockFile), 'utf8');
    for (const address of addresses) expect(lock).toContain(address);
    expect(lock).toContain('sha512-');
    await rm(join(folder, 'mine/node_modules'), { recursive: true });
    await rm(join(folder, 'cache'), { recursive: true, force: true });
    await run(manager.program, manager.again);
    await works();
  });

  it.each(MANAGERS)('are installed by $name from files that are checked in', async ({ program, add }) => {
    for (const file of files()) await cp(join(ROOT, 'clients/dist', file), join(folder, 'mine', file));
    await run(program, [...add, ...files().map((file) => `./${file}`)]);
    await works();
  });

  it('are found by npx at the address of earlier versions', async () => {
    const printed = await run('npx', ['--yes', `${world.url}/cli/pierhead.tgz`, '--version']);
    expect(printed).toMatch(versionLine(version));
  });
});

describe.each([
  ['pierhead', 'clients/cli'],
  ['pierhead-licensing', 'clients/licensing'],
])('%s as npm would publish it', (name, source) => {
  let file: string;
  beforeAll(async () => {
    const manifest = await readFile(join(ROOT, 'package.json'), 'utf8');
    const { version } = JSON.parse(manifest) as { readonly version: string };
    file = join(ROOT, 'clients/dist', `${name}-${version}.tgz`);
  });

  it('has no finding of publint', async () => {
    expect((await execute(tool('publint'), [file, '--strict'])).stdout).toContain('All good!');
  });

  // They are modules alone, which Node.js 20.19 and later can also require. A finding is another exit code.
  it('has no finding of @arethetypeswrong/cli', async () => {
    const { stdout } = await execute(tool('attw'), [file, '--profile', 'esm-only']);
    expect(stdout).toContain('pierhead');
  });

  it('is published by npm without a correction', async () => {
    const { stderr } = await execute('npm', ['publish', '--dry-run', '--ignore-scripts'], { cwd: join(ROOT, source) });
    const said = stderr.split('\n').filter((line) => /^npm (?:warn|error)/.test(line));
    expect(said.filter((line) => !line.includes('requires you to be logged in'))).toEqual([]);
  });
});
