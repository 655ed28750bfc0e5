import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { World } from '../support/app.js';
import { manifestOf } from '../support/packages.js';
import { GitHubRunner } from './github-runner.js';
import { chromeKeyOf, newcomerAt, type Newcomer } from './newcomer.js';
import { PseudoTerminal } from './pseudo-terminal.js';

interface Job {
  readonly steps: readonly {
    readonly run?: string;
    readonly 'working-directory'?: string;
    readonly env?: Record<string, string>;
  }[];
}

describe('a repository of two extensions', () => {
  let runner: GitHubRunner;
  let world: World;
  let me: Newcomer;
  beforeAll(async () => {
    ({ runner, world } = await GitHubRunner.withService());
  });
  afterAll(async () => {
    await world.close();
    await runner.close();
  });
  beforeEach(async () => {
    me = await newcomerAt(world, 'At the root', runner.url);
    const files = {
      '.git/config': '[remote "origin"]\n\turl = https://github.com/acme/tab-counter.git\n',
      'package.json': '{"workspaces":["packages/*"]}',
      'package-lock.json': '{}',
      'packages/one/package.json': '{"scripts":{"build":"vite build"}}',
      'packages/one/dist/manifest.json': JSON.stringify(manifestOf('1.0.0', { name: 'One' })),
      'packages/one/dist/background.js': '',
      'packages/two/package.json': '{"scripts":{"build":"extension build"}}',
      'packages/two/dist/chromium/manifest.json': JSON.stringify(manifestOf('1.0.0', { name: 'Two' })),
      'packages/two/dist/chromium/background.js': '',
      'packages/two/dist/firefox/manifest.json': JSON.stringify(manifestOf('1.0.0', { name: 'Two' })),
      'packages/two/dist/firefox/background.js': '',
    };
    for (const [file, text] of Object.entries(files)) await me.shell.write(file, text);
  });
  afterEach(() => me.shell.close());

  const initIn = async (folder: string, question: RegExp): Promise<PseudoTerminal> => {
    const { folder: root, surroundings } = me.shell;
    const terminal = PseudoTerminal.run({ folder: join(root, folder), surroundings }, ['init']);
    await terminal.answers(/Where does it go\?/);
    await terminal.answers(question);
    expect(await terminal.ends()).toBe(0);
    return terminal;
  };
  const jobs = async (): Promise<Readonly<Record<string, Job>>> =>
    (parse(await me.shell.read('.github/workflows/publish.yml')) as { readonly jobs: Record<string, Job> }).jobs;

  it('has one workflow, at its root, with a job for each, which may push it', async () => {
    await initIn('packages/one', /Add a GitHub workflow that publishes each tag such as v1\.0\.0\?/);
    const first = await me.shell.read('.github/workflows/publish.yml');
    const second = await initIn('packages/two', /Add a job for Two to \.\.\/\.\.\/\.github\/workflows\/publish\.yml\?/);
    expect(second.said).toContain('Added a job to ../../.github/workflows/publish.yml.');
    expect((await me.shell.read('.github/workflows/publish.yml')).startsWith(first.trimEnd())).toBe(true);
    expect(await readdir(join(me.shell.folder, '.github/workflows'))).toEqual(['publish.yml']);
    const { items } = await me.shell.json(['api', 'GET', '/extensions']);
    const idOf = (name: string): string => items.find((each: { readonly name: string }) => each.name === name).id;
    const { publish, 'publish-two': two } = await jobs();
    const steps = (job: Job | undefined) =>
      job?.steps.flatMap(({ run, 'working-directory': folder }) => (run === undefined ? [] : [[run.trim(), folder]]));
    const npx = `npx --yes ${runner.url}/cli/pierhead.tgz push`;
    expect(steps(publish)).toEqual([
      ['npm ci', undefined],
      ['npm run build', 'packages/one'],
      [`${npx} packages/one/dist --extension ${idOf('One')} --sources . --wait submitted`, undefined],
    ]);
    expect(steps(two)).toEqual([
      ['npm ci', undefined],
      ['npm run build', 'packages/two'],
      [`${npx} packages/two --extension ${idOf('Two')} --sources . --wait submitted`, undefined],
    ]);
    expect(JSON.parse(await me.shell.read('packages/one/pierhead.json'))).toMatchObject({ package: 'dist' });
    expect(JSON.parse(await me.shell.read('packages/two/pierhead.json'))).not.toHaveProperty('package');

    const chrome = await me.testStore('chrome');
    const { publisherId, serviceAccount } = chromeKeyOf(chrome);
    await me.shell.write('packages/two/key.json', JSON.stringify(serviceAccount));
    const connect = ['connect', 'chrome', '--key-file', 'key.json', '--item', chrome.settings.storeItemId];
    await me.shell.json([...connect, '--set', `publisherId=${publisherId}`], { cwd: 'packages/two' });
    const { run = '', env = {} } = two?.steps.at(-1) ?? {};
    const job: { isDone?: true } = {};
    const pushed = runner.shell(me.shell.folder, run, { ...env, ...runner.mayHaveToken });
    void pushed.then(() => Object.assign(job, { isDone: true }));
    while (job.isDone === undefined) await world.tick();
    const { code, log } = await pushed;
    expect({ code, log }).toEqual({ code: 0, log: expect.stringContaining('Two 1.0.0') });
  });

  it('keeps a workflow that publishes something else', async () => {
    const ours = 'on: push\njobs:\n  npm:\n    runs-on: ubuntu-latest\n';
    await me.shell.write('.github/workflows/publish.yml', ours);
    const { folder, surroundings } = me.shell;
    const terminal = PseudoTerminal.run({ folder: join(folder, 'packages/one'), surroundings }, ['init']);
    await terminal.answers(/Where does it go\?/);
    await terminal.reads(/already exists and was left unchanged: it does not publish with Pierhead/);
    expect(await terminal.ends()).toBe(0);
    expect(await me.shell.read('.github/workflows/publish.yml')).toBe(ours);
  });

  it('has settings for each, which count when its package is pushed from the root', async () => {
    for (const name of ['One', 'Two']) await world.given.extension(me, name);
    await me.shell.write('pierhead.json', '{"extension":"Two"}');
    await me.shell.write('packages/one/pierhead.json', '{"extension":"One"}');
    const { stderr } = await me.shell.run(['push', 'packages/one/dist', '--dry-run']);
    expect(stderr).toContain('One is not published at any store yet.');
  });
});
