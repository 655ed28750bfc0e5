import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { PROGRAM } from './shell.js';

const CLIENT = fileURLToPath(new URL('../../clients/cli', import.meta.url));
const MEGABYTE = 1024 * 1024;
/** Node.js itself takes more than half of the 150 that a command may take to begin. */
const START_MS = 60;
/** What a command loads of this program at its start. */
const START_BYTES = 100_000;
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

  it(`adds less than ${START_MS} ms to the start of Node.js`, async () => {
    // The time of the processor: the time of the clock is also that of the tests beside this one.
    const report = `process.on('exit', () => { const { user, system } = process.cpuUsage(); console.error((user + system) / 1000); })`;
    const timeOf = async (...args: readonly string[]): Promise<number> => {
      const times: number[] = [];
      for (let at = 0; at < 5; at += 1) {
        const { stderr } = await run(process.execPath, ['--import', `data:text/javascript,${report}`, ...args]);
        times.push(Number(stderr));
      }
      return Math.min(...times);
    };
    expect((await timeOf(PROGRAM, '--version')) - (await timeOf('--eval', ''))).toBeLessThan(START_MS);
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
