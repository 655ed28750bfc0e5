import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createUnimport } from 'unimport';
import { startWorld, type World } from '../support/app.js';
import { BROWSERS, type Opened } from './browsers.js';
import { Shop } from './shop.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const [USE = '', ...SECTIONS] = readFileSync(join(ROOT, 'clients/licensing/README.md'), 'utf8').split(/^## /m);
/** Where `npm run test:soak` has fetched Plasmo. */
const PLASMO = process.env['PLASMO'] ?? '';
if (PLASMO === '') process.stderr.write('Skipped: a build with Plasmo, which `npm run test:soak` fetches.\n');

const sectionOf = (title: string): string => SECTIONS.find((section) => section.startsWith(`${title}\n`)) ?? '';
/** What a section prints, by the title of the fence. */
const printed = (section: string): Map<string, string> =>
  new Map(
    [...section.matchAll(/^```\w+ title="(.+)"\n([^]+?)^```/gm)].map(([, title = '', text = '']) => [title, text]),
  );
const SHELL = 'In the folder of your extension';

/** @throws Error with what a command printed when it fails */
async function run(command: string, cwd: string): Promise<void> {
  const env = { ...process.env, npm_config_audit: 'false' };
  await promisify(execFile)('sh', ['-ec', `{ ${command.trim()}; } 2>&1`], { cwd, env }).catch(
    ({ stdout }: { readonly stdout: string }) => {
      throw new Error(`${command}: ${stdout}`);
    },
  );
}

/** The files of a folder and what is in them. */
async function contentsOf(folder: string): Promise<Record<string, string>> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const read = files.map(async ({ parentPath, name }): Promise<[string, string]> => {
    const path = join(parentPath, name);
    return [path.slice(folder.length).replaceAll(sep, '/'), await readFile(path, 'utf8')];
  });
  return Object.fromEntries(await Promise.all(read));
}

describe('the guide of the licensing client', () => {
  let world: World;
  let shop: Shop;
  let folder: string;
  let opened: Opened | undefined;
  beforeAll(async () => {
    world = await startWorld();
  });
  beforeEach(async () => {
    shop = await Shop.open(world);
    folder = await mkdtemp(join(tmpdir(), 'pierhead-guide-'));
    await cp(join(ROOT, 'clients/licensing'), join(folder, 'pierhead/clients/licensing'), { recursive: true });
  });
  afterEach(async () => {
    await opened?.close();
    opened = undefined;
    await rm(folder, { recursive: true, force: true });
  });
  afterAll(() => world.close());

  /** Writes the files of a section, and the popup to where the section says. @returns the folder of the extension */
  const follow = async (section: string, popup: string, project: object): Promise<string> => {
    const extension = join(folder, 'mine');
    const { keys } = (await world.api.get(`/licensing/keys/${shop.extensionId}`)).body;
    const files = printed(section);
    const [, ...lines] = (printed(USE).get('popup.ts') ?? '').split(/^(?=\n)/m);
    const first = files.get(popup) ?? printed(USE).get('popup.ts')?.split('\n', 1)[0] ?? '';
    files.set(popup, [first, ...lines].join(''));
    files.set('package.json', JSON.stringify({ name: 'mine', version: '1.0.0', type: 'module', ...project }));
    files.delete(SHELL);
    for (const [path, text] of files) {
      const filled = text
        // Firefox knows no ports there.
        .replace('https://pierhead.example/buyer', 'http://127.0.0.1/buyer')
        .replace('https://pierhead.example', world.url)
        .replace('01a1e7c2-5b0a-7c3e-9f41-2d8a6b90c1d4', shop.extensionId)
        .replaceAll("{ kid: '…', x: '…' }", () => {
          const { kid, x } = keys.shift();
          return JSON.stringify({ kid, x });
        });
      await mkdir(dirname(join(extension, path)), { recursive: true });
      await writeFile(join(extension, path), filled);
    }
    const shell = printed(section).get(SHELL) ?? printed(USE).get(SHELL) ?? '';
    await run(shell.replace('https://pierhead.example', world.url), extension);
    return extension;
  };

  const sells = async (open: typeof BROWSERS.Chromium.open, extension: string): Promise<void> => {
    opened = await open(extension, join(folder, 'profile'));
    const { page } = opened;
    await page.locator('[name="code"]').fill('MISTYPED');
    await page.locator('button').click();
    await page.locator('//output[.="invalid_code"]').waitFor();
    await page.locator('[name="code"]').fill(shop.license.code);
    await page.locator('button').click();
    await page.locator('//output[.="Thank you"]').waitFor();
    expect(await shop.used()).toBe(1);
    await page.reload();
    await page.locator('//body[.="Licensed"]').waitFor();
  };

  for (const [name, { test, open }] of Object.entries(BROWSERS))
    test(`makes a popup without a bundler that activates a license in ${name}`, async () => {
      await sells(open, await follow(sectionOf('Without a bundler'), 'popup.js', {}));
    });

  describe('with WXT', () => {
    const WXT = join(ROOT, 'test/node_modules/wxt');
    const build = async (extension: string, browser: string): Promise<string> => {
      await symlink(WXT, join(extension, 'node_modules/wxt'));
      await run(`node "${join(WXT, 'bin/wxt.mjs')}" build -b ${browser}`, extension);
      const [built = ''] = await readdir(join(extension, '.output'));
      return join(extension, '.output', built);
    };
    const followed = (): Promise<string> => follow(sectionOf('With WXT'), 'entrypoints/popup/popup.ts', {});

    for (const [name, { test, open }] of Object.entries(BROWSERS))
      test(`makes a popup that activates a license in ${name}`, async () => {
        await sells(open, await build(await followed(), name === 'Firefox' ? 'firefox' : 'chrome'));
      });

    it('makes the same of the package and of its folder, passes the compiler, and finds no name that WXT imports by itself', async () => {
      const extension = await followed();
      const packed = await contentsOf(await build(extension, 'chrome'));
      await writeFile(join(extension, 'tsconfig.json'), '{ "extends": "./.wxt/tsconfig.json" }');
      await run(`node "${join(ROOT, 'node_modules/typescript/bin/tsc')}" --noEmit`, extension);

      const own = await readFile(join(extension, '.wxt/types/imports.d.ts'), 'utf8');
      const imports = [...own.matchAll(/^ {2}const (\w+):/gm)].map(([, name = '']) => ({ name, from: 'wxt' }));
      expect(imports).toContainEqual({ name: 'storage', from: 'wxt' });
      const source = await readFile(join(ROOT, 'clients/licensing/index.js'), 'utf8');
      expect((await createUnimport({ imports }).injectImports(source)).imports).toEqual([]);

      await rm(join(extension, 'node_modules'), { recursive: true });
      await run('npm install ../pierhead/clients/licensing', extension);
      expect(await contentsOf(await build(extension, 'chrome'))).toEqual(packed);
    });
  });

  const inChromium = PLASMO === '' ? it.skip : BROWSERS.Chromium.test;
  inChromium('makes a popup with Plasmo that activates a license in Chromium', async () => {
    const section = sectionOf('With Plasmo');
    const [, manifest = ''] = /`manifest` holds `(.+)`/.exec(section) ?? [];
    const extension = await follow(section, 'popup.tsx', {
      displayName: 'Mine',
      description: 'Mine.',
      author: 'Me',
      manifest: JSON.parse(`{${manifest}}`) as object,
    });
    // What `npm create plasmo` leaves.
    await cp(join(ROOT, 'docs/images/home-light.png'), join(extension, 'assets/icon.png'));
    await writeFile(join(extension, 'tsconfig.json'), '{ "extends": "plasmo/templates/tsconfig.base" }');
    await symlink(dirname(dirname(PLASMO)), join(extension, 'node_modules/plasmo'));
    await run(`node "${PLASMO}" build`, extension);
    await sells(BROWSERS.Chromium.open, join(extension, 'build/chrome-mv3-prod'));
  });
});
