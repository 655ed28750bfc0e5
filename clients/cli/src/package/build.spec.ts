import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findBuild, packageFor } from './build.js';
import { lastingPath } from './patterns.js';

describe('what is published of a project', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'pierhead-test-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  /** Later files are newer. */
  const given = async (...files: readonly string[]): Promise<void> => {
    for (const [at, file] of files.entries()) {
      await mkdir(dirname(join(root, file)), { recursive: true });
      await writeFile(join(root, file), '{}');
      await utimes(join(root, file), 1_000_000 + at, 1_000_000 + at);
    }
  };
  const found = async (): Promise<object> => {
    const { framework, packages, sources } = await findBuild(root);
    const below = (path: string): string => path.slice(root.length + 1);
    return {
      framework,
      packages: Object.fromEntries(packages.map(({ browser, path }) => [browser ?? 'all', below(path)])),
      sources: sources === null ? null : below(sources),
    };
  };

  it.each<[string, readonly string[], object]>([
    [
      "WXT's zips and sources",
      ['.output/counter-1.4.0-chrome.zip', '.output/counter-1.4.0-firefox.zip', '.output/counter-1.4.0-sources.zip'],
      {
        framework: 'WXT',
        packages: { chrome: '.output/counter-1.4.0-chrome.zip', firefox: '.output/counter-1.4.0-firefox.zip' },
        sources: '.output/counter-1.4.0-sources.zip',
      },
    ],
    [
      'the newest zip of each browser',
      ['.output/counter-1.10.0-edge.zip', '.output/counter-1.9.0-edge.zip', '.output/counter-1.9.0-safari.zip'],
      {
        framework: 'WXT',
        packages: { edge: '.output/counter-1.9.0-edge.zip', safari: '.output/counter-1.9.0-safari.zip' },
        sources: null,
      },
    ],
    [
      'what WXT built without zipping it',
      ['.output/counter-1.3.0-chrome.zip', '.output/chrome-mv3/manifest.json', '.output/chrome-mv3-dev/manifest.json'],
      { framework: 'WXT', packages: { chrome: '.output/chrome-mv3' }, sources: null },
    ],
    [
      'what Plasmo built, and not its development build',
      ['build/chrome-mv3-prod/manifest.json', 'build/chrome-mv3-prod.zip', 'build/firefox-mv2-dev/manifest.json'],
      { framework: 'Plasmo', packages: { chrome: 'build/chrome-mv3-prod.zip' }, sources: null },
    ],
    [
      'what was built into a folder for each browser',
      ['dist/chromium/manifest.json', 'dist/firefox/manifest.json', 'dist/opera/manifest.json'],
      { framework: null, packages: { chrome: 'dist/chromium', firefox: 'dist/firefox' }, sources: null },
    ],
    [
      'the newer one of two names of a browser',
      ['dist/chromium/manifest.json', 'dist/chrome/manifest.json', 'dist/edge/manifest.json'],
      { framework: null, packages: { chrome: 'dist/chrome', edge: 'dist/edge' }, sources: null },
    ],
    ['dist', ['manifest.json', 'dist/manifest.json'], { framework: null, packages: { all: 'dist' }, sources: null }],
    ['build', ['build/manifest.json'], { framework: null, packages: { all: 'build' }, sources: null }],
    ['the folder itself', ['manifest.json'], { framework: null, packages: { all: '' }, sources: null }],
  ])('is %s', async (_case, files, expected) => {
    await given(...files);
    expect(await found()).toEqual(expected);
  });

  it.each([
    ['WXT', '.output', ['.output/counter-1.4.0-chrome.zip', '.output/counter-1.4.0-sources.zip']],
    ['WXT', '.output', ['.output/chrome-mv3/manifest.json']],
    ['Plasmo', 'build', ['build/chrome-mv3-prod.zip']],
    [null, 'dist', ['dist/chrome/manifest.json', 'dist/firefox/manifest.json']],
  ])('is what %s built, where its folder %s is named', async (framework, folder, files) => {
    await given(...files);
    const ofProject = await findBuild(root);
    expect(ofProject.framework).toBe(framework);
    expect(await findBuild(join(root, folder))).toEqual(ofProject);
  });

  it.each([
    ['package.json', '{"webExt":{"sourceDir":"app"}}'],
    ['web-ext-config.mjs', 'export default { sourceDir: "app" };'],
  ])('is the folder that the settings of web-ext name, in %s', async (file, text) => {
    await given('app/manifest.json', 'dist/manifest.json');
    await writeFile(join(root, file), text);
    expect(await found()).toMatchObject({ packages: { all: 'app' } });
    expect((await findBuild(root)).from).toBe(join(root, 'app'));
  });

  it.each([
    ['dist/owl-{version}.zip', 'dist/owl-1.10.0.zip'],
    ['dist/owl-*.zip', 'dist/owl-1.10.0-sources.zip'],
    ['owl-{version}/app', 'owl-2.0/app'],
    ['**/owl-{version}.zip', 'dist/owl-1.10.0.zip'],
  ])('is the newest of what a pattern names: %s', async (pattern, newest) => {
    const zips = ['dist/owl-1.9.0.zip', 'dist/owl-1.10.0.zip', 'dist/owl-1.10.0-sources.zip'];
    await given('owl-1.9/app/manifest.json', 'owl-2.0/app/manifest.json', ...zips);
    const from = join(root, pattern);
    expect(await findBuild(from)).toMatchObject({ from, packages: [{ path: join(root, newest), browser: null }] });
  });

  it('is nothing where a pattern names nothing, and a file whose name looks like one', async () => {
    await given('owl [beta]/manifest.json');
    expect((await findBuild(join(root, 'owl [beta]'))).packages).toMatchObject([{ path: join(root, 'owl [beta]') }]);
    await expect(findBuild(join(root, 'dist/*.zip'))).rejects.toThrow(/^Nothing matches .*\*\.zip\.$/);
  });

  it.each([
    ['dist/owl-1.2.3.zip', 'dist/owl-{version}.zip'],
    ['releases/v1.2/owl_1.2.3.4_chrome.zip', 'releases/v{version}/owl_{version}_chrome.zip'],
    ['dist/owl-${npm_package_version}.zip', 'dist/owl-{version}.zip'],
    ['dist/*.zip', 'dist/*.zip'],
    ['dist/chrome-mv3', 'dist/chrome-mv3'],
    ['../dist2', '../dist2'],
  ])('has a path that lasts: %s is %s', (path, lasting) => expect(lastingPath(path)).toBe(lasting));

  it('is nothing where a link leads nowhere', async () => {
    await symlink(join(root, 'gone'), join(root, 'link'));
    await expect(findBuild(join(root, 'link'))).rejects.toThrow('link is a link that leads nowhere.');
  });

  it('is the zip that is named', async () => {
    await given('counter.zip');
    const path = join(root, 'counter.zip');
    expect(await findBuild(path)).toEqual({
      framework: null,
      packages: [{ path, browser: null }],
      from: path,
      sources: null,
    });
  });

  it('is nothing where nothing is built, or the named file is not there', async () => {
    await given('src/main.ts', '.output/counter-1.4.0-opera.zip');
    await expect(findBuild(root)).rejects.toThrow('has nothing to publish');
    await expect(findBuild(join(root, 'no.zip'))).rejects.toThrow(/^There is no .*no\.zip\.$/);
  });

  it('goes to each store by its browser', async () => {
    await given('.output/a-chrome.zip', '.output/a-firefox.zip');
    const build = await findBuild(root);
    expect(['chrome', 'firefox', 'edge', 'safari'].map((store) => packageFor(build, store)?.browser ?? null)).toEqual([
      'chrome',
      'firefox',
      'chrome',
      null,
    ]);
  });
});
