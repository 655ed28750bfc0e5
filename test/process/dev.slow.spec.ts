import { spawn, type ChildProcess } from 'node:child_process';
import { on, once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What a clone has that is developed, or is read by what is. */
const COPIED = [
  'package.json',
  '.swcrc',
  'nest-cli.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'openapi.json',
  'src',
  'scripts',
  'console/src',
  'console/index.html',
  'console/package.json',
  'console/tsconfig.json',
  'console/vite.config.ts',
  'clients/cli/schema',
  'clients/cli/src',
];
/** Two builds and three starts: seconds, and many of them on a busy machine. */
const MAY_TAKE_MS = 600_000;

describe('npm run dev', () => {
  let folder: string;
  let child: ChildProcess;
  let lines: Interface;
  let origin: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pierhead-dev-'));
    for (const name of COPIED) await cp(join(ROOT, name), join(folder, name), { recursive: true });
    for (const name of ['node_modules', 'console/node_modules']) await symlink(join(ROOT, name), join(folder, name));
    child = spawn(process.execPath, ['scripts/dev.mjs'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (child.stdout === null) throw new Error('It has no output');
    lines = createInterface({ input: child.stdout });
    origin = /http:\S+/.exec(await said('Pierhead runs at '))?.[0] ?? '';
  }, MAY_TAKE_MS);
  afterAll(async () => {
    child.kill('SIGINT');
    const [code] = (await once(child, 'exit')) as [number | null];
    await rm(folder, { recursive: true });
    expect(code).toBe(0);
  });

  /** Waits until it says something, and returns the line. @throws Error when it ends before */
  const said = async (text: string): Promise<string> => {
    for await (const [line] of on(lines, 'line', { close: ['close'] }) as AsyncIterable<[string]>)
      if (line.includes(text)) return line;
    throw new Error('It has ended');
  };
  const get = async (path: string, accept = '*/*'): Promise<Response> => fetch(origin + path, { headers: { accept } });
  const change = async (path: string, from: string, to: string): Promise<void> => {
    const content = await readFile(join(folder, path), 'utf8');
    expect(content).toContain(from);
    await writeFile(join(folder, path), content.replace(from, to));
  };

  it('serves the console and the API at one address', async () => {
    for (const path of ['/', '/extensions/any']) {
      const page = await get(path, 'text/html');
      expect(page.status).toBe(200);
      const text = await page.text();
      for (const script of ['/@vite/client', '/src/main.tsx']) expect(text).toContain(`src="${script}"`);
    }
    const answers = await Promise.all(
      ['/src/main.tsx', '/api/v1/auth/methods', '/health/ready'].map((path) => get(path)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await get('/api/docs/', 'text/html')).headers.get('content-security-policy')).not.toBeNull();
  });

  it(
    'takes over a change of the service, and goes on after one that does not compile',
    async () => {
      const titled = async (): Promise<unknown> =>
        ((await (await get('/api/openapi.json')).json()) as { readonly info: { readonly title: string } }).info.title;
      await change('src/operations/documents/openapi.ts', ".setTitle('Pierhead')", ".setTitle('Changed')}");
      await said('Expression expected');
      expect(await titled()).toBe('Pierhead');
      await change('src/operations/documents/openapi.ts', ".setTitle('Changed')}", ".setTitle('Changed')");
      await said(`Pierhead runs at ${origin} again`);
      expect(await titled()).toBe('Changed');
    },
    MAY_TAKE_MS,
  );

  it('takes over a change of the console', async () => {
    await change('console/src/main.tsx', 'import', "console.info('Changed');\nimport");
    let served: string;
    do served = await (await get('/src/main.tsx')).text();
    while (!served.includes('Changed'));
  });
});
