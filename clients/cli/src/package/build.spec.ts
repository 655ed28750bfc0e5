import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findBuild, packageFor } from './build.js';

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
  ])('is what %s built, where its folder %s is named', async (framework, folder, files) => {
    await given(...files);
    const ofProject = await findBuild(root);
    expect(ofProject.framework).toBe(framework);
    expect(await findBuild(join(root, folder))).toEqual(ofProject);
  });

  it('is nothing where a link leads nowhere', async () => {
    await symlink(join(root, 'gone'), join(root, 'link'));
    await expect(findBuild(join(root, 'link'))).rejects.toThrow('link is a link that leads nowhere.');
  });

  it('is the zip that is named', async () => {
    await given('counter.zip');
    const path = join(root, 'counter.zip');
    expect(await findBuild(path)).toEqual({ framework: null, packages: [{ path, browser: null }], sources: null });
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
