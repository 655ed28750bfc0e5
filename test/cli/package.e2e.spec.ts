import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startWorld } from '../support/app.js';
import { versionLine } from '../support/process.js';
import { PROGRAM } from './shell.js';

const CLIENT = fileURLToPath(new URL('../../clients/cli', import.meta.url));
const MEGABYTE = 1024 * 1024;
/** The shortest of so many counts. */
const STARTS = 8;
/** What a command loads of this program at its start. */
const START_BYTES = 102_500;
const run = promisify(execFile);

interface Packed {
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

describe('the npm package', () => {
  it('is small, and holds the program, the schema and the licenses of what is in it', async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: CLIENT });
    const [packed] = JSON.parse(stdout) as Packed[];
    expect(packed?.unpackedSize).toBeLessThan(5 * MEGABYTE);
    expect(packed?.files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['bin/pierhead.js', 'dist/main.js', 'dist/LICENSES.txt', 'schema/pierhead.schema.json']),
    );
    const licenses = await readFile(join(CLIENT, 'dist/LICENSES.txt'), 'utf8');
    for (const name of ['commander', '@clack/prompts', 'openapi-fetch', 'zod'])
      expect(licenses).toMatch(new RegExp(String.raw`^${name} \d.* \(MIT\)\n\n.*Copyright`, 'ms'));
  });

  it('depends on nothing', async () => {
    const { dependencies } = JSON.parse(await readFile(join(CLIENT, 'package.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    expect(dependencies).toBeUndefined();
  });

  it('is not built while an import of it cannot be found, as in an old node_modules', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pierhead-build-'));
    await writeFile(join(folder, 'main.js'), "import 'a-package-that-is-not-installed';");
    const config = join(folder, 'rolldown.config.mjs');
    const build = { input: join(folder, 'main.js'), output: { file: join(folder, 'out.js') } };
    await writeFile(
      config,
      `import client from ${JSON.stringify(join(CLIENT, 'rolldown.config.mjs'))};\nexport default { ...client, ...${JSON.stringify(build)} };`,
    );
    await expect(run('npx', ['rolldown', '-c', config], { cwd: CLIENT })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('a-package-that-is-not-installed'),
    });
    await rm(folder, { recursive: true });
  });

  it.each([['--version'], ['status', '--help'], ['push', '--help'], ['licenses', 'find', '--help']])(
    `loads little for %s %s %s`,
    async (...args) => {
      const folder = await mkdtemp(join(tmpdir(), 'pierhead-loaded-'));
      // Node.js lists there what it has loaded.
      await run(process.execPath, [PROGRAM, ...args], { env: { NODE_V8_COVERAGE: folder } });
      const [report = ''] = await readdir(folder);
      const { result } = JSON.parse(await readFile(join(folder, report), 'utf8')) as {
        readonly result: readonly { readonly url: string }[];
      };
      const loaded = result.map(({ url }) => url).filter((url) => url.includes('/clients/cli/dist/'));
      const sizes = await Promise.all(loaded.map(async (url) => (await stat(fileURLToPath(url))).size));
      expect(loaded).not.toEqual([]);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(START_BYTES);
      await rm(folder, { recursive: true });
    },
  );

  // Of the 150 ms that a command may take to begin, Node.js itself takes about 90.
  it('adds less to the start of Node.js than Node.js itself takes', async () => {
    // The time of the processor: the time of the clock is also that of the tests beside this one.
    const report = `process.on('exit', () => { const { user, system } = process.cpuUsage(); console.error((user + system) / 1000); })`;
    const timeOf = async (...args: readonly string[]): Promise<number> =>
      Number((await run(process.execPath, ['--import', `data:text/javascript,${report}`, ...args])).stderr);
    const [ours, bare]: [number[], number[]] = [[], []];
    // In turn, so that a busy moment of the machine meets both.
    for (let at = 0; at < STARTS; at += 1) {
      ours.push(await timeOf(PROGRAM, '--version'));
      bare.push(await timeOf('--eval', ''));
    }
    expect(Math.min(...ours)).toBeLessThan(2 * Math.min(...bare));
  });

  it('is what the service gives away: npm installs it from there, and it talks to that service', async () => {
    const world = await startWorld();
    const folder = await mkdtemp(join(tmpdir(), 'pierhead-installed-'));
    try {
      const url = `${world.url}/cli/pierhead.tgz`;
      const env = { ...process.env, npm_config_cache: join(folder, 'cache'), HOME: folder, XDG_CONFIG_HOME: folder };
      const options = { cwd: folder, env };
      await run('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, url], options);
      const tenant = await world.given.tenant();
      const author = { ...env, PIERHEAD_URL: world.url, PIERHEAD_TOKEN: tenant.token };
      const installed = join(folder, 'node_modules/.bin/pierhead');
      const { stdout } = await run(installed, ['whoami', '--json'], { cwd: folder, env: author });
      expect(JSON.parse(stdout)).toMatchObject({ url: world.url, by: 'token' });
      const { version } = JSON.parse(await readFile(join(CLIENT, 'package.json'), 'utf8')) as {
        readonly version: string;
      };
      expect((await run('npx', ['--yes', url, '--version'], options)).stdout).toMatch(versionLine(version));
    } finally {
      await world.close();
      await rm(folder, { recursive: true });
    }
  });

  it('that was not built says how to build it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pierhead-unbuilt-'));
    await cp(PROGRAM, join(folder, 'bin/pierhead.mjs'));
    await expect(run(process.execPath, [join(folder, 'bin/pierhead.mjs')])).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'pierhead is not built yet. Run: npm run build -w pierhead\n',
    });
    await rm(folder, { recursive: true });
  });
});
