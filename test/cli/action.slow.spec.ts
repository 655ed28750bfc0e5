import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { jobToken } from '../../clients/action/src/job-token.js';
import { escapeWorkflowCommands } from '../../clients/action/src/report.js';
import type { StoreId } from '../../src/stores/index.js';
import type { World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { manifestOf } from '../support/packages.js';
import { parse } from 'yaml';
import { testStoreAt } from '../reconcile/test-stores.js';
import { authorAt, whileWorking, type Author } from './author.js';
import { described, GitHubRunner, type Step } from './github-runner.js';
import { connectChrome, newcomerAt } from './newcomer.js';

const RULE = {
  name: 'Releases',
  repository: 'acme/tab-counter',
  ref: 'refs/tags/v*',
  scopes: ['artifacts:write', 'extensions:read'],
};

/** A command that the runner would carry out. */
const PWNED = /^\s*::error::pwned|^(?!::).*##\[/m;

describe('the action', () => {
  let runner: GitHubRunner;
  let world: World;
  let author: Author;
  beforeAll(async () => {
    ({ runner, world } = await GitHubRunner.withService());
  });
  afterAll(async () => {
    await world.close();
    await runner.close();
  });
  afterEach(() => author.shell.close());

  /** Runs a step, while the service works and time passes. */
  const step = async (
    inputs: Readonly<Record<string, string>>,
    env?: Readonly<Record<string, string>>,
  ): Promise<Step> => {
    const { ended } = await runner.start(author.shell.folder, { url: runner.url, ...inputs }, env);
    await whileWorking(world, { ended: ended.then(() => ({ code: 0, stdout: '', stderr: '' })) });
    return ended;
  };
  const at = async (...stores: readonly StoreId[]): Promise<void> => {
    author = await authorAt(world, stores);
  };

  it('trades the token of its job, pushes, and tells the workflow where each store stands', async () => {
    await at('chrome', 'firefox');
    expectStatus(
      await world.api
        .as({ cookie: author.cookie })
        .post('/ci/trust-rules', { ...RULE, extensionIds: [author.extensionId] }),
      201,
    );
    const inputs = {
      package: await author.pack('1.0.0'),
      extension: author.name,
      wait: 'live',
      tenant: author.tenantId,
    };
    const { ended } = await runner.start(author.shell.folder, { url: runner.url, ...inputs }, runner.mayHaveToken);
    const job: { isDone?: true } = {};
    void ended.then(() => Object.assign(job, { isDone: true }));
    // As much time passes as really does: were it more, the job's token would end, and the stores would refuse keys that are signed by another
    // clock than theirs; were it none, what may be asked of a store in a minute would be used up for ever.
    for (let passed = 0, began = Date.now(); job.isDone === undefined; passed = Date.now() - began) {
      await world.api.as(author).post(`/extensions/${author.extensionId}/reconcile`);
      world.clock.forward(Date.now() - began - passed);
    }
    const { code, log, outputs, summary } = await ended;
    expect({ code, outputs }).toEqual({
      code: 0,
      outputs: {
        outcome: 'live',
        version: '1.0.0',
        'chrome-phase': 'live',
        'chrome-version': '1.0.0',
        'firefox-phase': 'live',
        'firefox-version': '1.0.0',
      },
    });
    const { storeItemId } = author.testStore('chrome').settings;
    expect(summary).toContain('<h3>Night Owl 1.0.0</h3>');
    expect(summary).toContain(
      `<td><a href="https://chromewebstore.google.com/detail/${storeItemId}">Chrome</a></td><td>live</td><td>1.0.0</td><td>Version 1.0.0 is live.</td>`,
    );
    expect(log).toMatch(/^::add-mask::eyJ/m);
    expect(log).not.toMatch(/^(?!::add-mask::).*eyJ/m);
    expect(log).not.toContain('::error');
  });

  it('runs as the workflow says that `pierhead init` writes', async () => {
    await at('chrome');
    const me = await newcomerAt(world, 'Night Owl', runner.url);
    await me.shell.write('.git/config', '[remote "origin"]\n\turl = https://github.com/acme/tab-counter.git\n');
    const terminal = me.run('init');
    await terminal.reads(/Where does it go\?/);
    terminal.press('space', 'enter');
    await connectChrome(terminal, me.shell, await me.testStore('chrome'));
    await terminal.answers(/Add a GitHub workflow that publishes each tag/);
    expect(await terminal.ends()).toBe(0);
    const workflow = parse(await me.shell.read('.github/workflows/publish.yml')) as {
      readonly permissions: object;
      readonly jobs: {
        readonly publish: { readonly steps: readonly { run?: string; env?: Record<string, string> }[] };
      };
    };
    expect(workflow.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
    const step = workflow.jobs.publish.steps.find(({ run }) => run?.includes(' push ') === true);
    const ended = runner.shell(me.shell.folder, step?.run ?? '', { ...step?.env, ...runner.mayHaveToken });
    const job: { isDone?: true } = {};
    void ended.then(() => Object.assign(job, { isDone: true }));
    while (job.isDone === undefined) await world.tick();
    const { code, log } = await ended;
    expect({ code, log }).toEqual({ code: 0, log: expect.stringContaining('Sending the package') });
    expect(log).toMatch(/^::add-mask::eyJ/m);
    expect(log).not.toMatch(/^(?!::add-mask::).*eyJ/m);
    const refused = await runner.shell(me.shell.folder, step?.run ?? '', step?.env ?? {});
    expect(refused).toEqual({ code: 1, log: expect.stringContaining('permissions: id-token: write') });
    await me.shell.close();
  });

  it('pushes with a token of its own, for the stores that it names, without waiting', async () => {
    await at('chrome', 'firefox', 'edge');
    // It is in review when the action looks, however long that takes.
    await author.testStore('chrome').review(3600);
    const inputs = {
      token: author.token,
      package: await author.pack('1.0.0'),
      stores: 'chrome, edge',
      notes: 'Counts.\nFaster.',
      wait: '',
    };
    const { code, log, outputs, summary } = await step(inputs);
    expect({ code, outputs }).toMatchObject({
      code: 0,
      outputs: { outcome: 'pushed', version: '1.0.0', 'chrome-version': '', 'edge-phase': expect.anything() },
    });
    expect(outputs).not.toHaveProperty('firefox-phase');
    const { storeItemId } = author.testStore('chrome').settings;
    expect(summary).toMatch(
      new RegExp(
        `<td><a href="https://chromewebstore.google.com/detail/${storeItemId}">Chrome</a></td><td>\\w[^<]*</td><td>–</td>`,
      ),
    );
    expect(summary).toContain('>Edge<');
    expect(summary).not.toContain('Firefox');
    expect(log).toContain(`::add-mask::${author.token}`);
    const { body } = await world.api.as(author).get(`/artifacts?extension=${author.extensionId}`);
    expect(body.artifacts.map(({ store }: { readonly store: string }) => store).sort()).toEqual(['chrome', 'edge']);
  });

  it('pushes for the target that it names, where Chrome has two', async () => {
    await at('chrome');
    const beta = await testStoreAt('chrome', world.sandbox.url, '');
    const { credentials, settings } = beta;
    const api = world.api.as(author);
    const { id } = expectStatus(
      await api.post('/credentials', { store: 'chrome', label: 'beta', credentials }),
      201,
    ).body;
    const target = { store: 'chrome', ...settings, credentialId: id, enabled: true };
    expectStatus(await api.post(`/extensions/${author.extensionId}/targets`, target), 201);
    const inputs = { token: author.token, package: await author.pack('1.0.0'), wait: 'live' };
    const refused = await step(inputs);
    expect([refused.code, refused.log]).toEqual([1, expect.stringContaining('The extension has 2 targets at Chrome.')]);
    expect(await step({ ...inputs, target: settings.storeItemId })).toMatchObject({
      code: 0,
      outputs: { outcome: 'live', 'chrome-version': '1.0.0' },
    });
    expect([await beta.done(), await author.testStore('chrome').done()]).toMatchObject([
      { uploads: 1 },
      { uploads: 0 },
    ]);
  });

  it('fails with an annotation in the words of the store that rejects the version', async () => {
    await at('chrome', 'firefox');
    await author.testStore('chrome').review(null);
    const inputs = { token: author.token, package: await author.pack('1.0.0'), wait: 'live' };
    const { ended } = await runner.start(author.shell.folder, { url: runner.url, ...inputs });
    const worked = whileWorking(world, { ended: ended.then(() => ({ code: 0, stdout: '', stderr: '' })) });
    const phaseAtFirefox = async (): Promise<string> => {
      const { body } = await world.api.as(author).get(`/extensions/${author.extensionId}/targets`);
      return body.targets.find(({ store }: { readonly store: string }) => store === 'firefox').status.phase;
    };
    // A rejection ends the step at once, whatever the others have come to.
    while ((await phaseAtFirefox()) !== 'live') await world.tick();
    while ((await author.testStore('chrome').done()).submissions === 0) await world.tick();
    await world.control.act(author.testStore('chrome').settings.storeItemId, 'reject');
    await worked;
    const { code, log, outputs, summary } = await ended;
    expect({ code, outputs }).toMatchObject({
      code: 1,
      outputs: { outcome: 'rejected', 'chrome-phase': 'rejected', 'chrome-version': '', 'firefox-phase': 'live' },
    });
    expect(log).toMatch(/^::error title=Chrome%3A rejected::.*reject/im);
    expect(log).toMatch(/^::error::A store rejected the version\.$/m);
    expect(summary).toContain('<td>rejected</td>');
  });

  it('points to what a store will refuse, and lists it in the summary', async () => {
    await at('chrome', 'edge');
    await author.shell.write('app/manifest.json', JSON.stringify(manifestOf('1.0.0', { key: 'MIIB' })));
    await author.shell.write('app/background.js', '');
    const { code, log, summary } = await step({ token: author.token, package: 'app', wait: 'submitted' });
    expect(code).toBe(1);
    expect(log).toMatch(
      /^::error title=Edge refuses this package,file=app\/manifest\.json::The manifest has the key "key"\. Remove it\.$/m,
    );
    expect(log).toMatch(/^::warning title=Chrome,file=app\/manifest\.json::The manifest has the key "key", which/m);
    expect(log.match(/^::.*Remove it/gm)).toHaveLength(2 + 1);
    expect(summary).toContain(
      '<li>Edge, refused: The manifest has the key &quot;key&quot;. Remove it. (manifest.json: key) <a href="https://',
    );
  });

  it('names the place of a finding in a zip', async () => {
    await at('firefox');
    const file = await author.pack('1.0.0', { browser_specific_settings: undefined });
    const { code, log } = await step({ token: author.token, package: file, wait: 'live' });
    expect(code).toBe(1);
    expect(log).toMatch(
      /^::error title=Firefox refuses this package::The manifest has no browser_specific_settings\.gecko\.id.+ \(manifest\.json: /m,
    );
  });

  it("points to the file of the repository that Mozilla's linter finds fault with", async () => {
    await at('firefox');
    const background = { service_worker: 'background.js' };
    const browser_specific_settings = { gecko: { id: 'owl@night.example' } };
    const manifest = manifestOf('1.0.0', { background, browser_specific_settings });
    await author.shell.write('app/manifest.json', JSON.stringify(manifest));
    await author.shell.write('app/background.js', '');
    await symlink(
      fileURLToPath(new URL('../node_modules', import.meta.url)),
      join(author.shell.folder, 'node_modules'),
    );
    const { code, log } = await step({ token: author.token, package: 'app' });
    expect(code).toBe(1);
    expect(log).toMatch(/^::error title=Firefox will refuse this package\.,file=app\/manifest\.json::/m);
    expect(log).toMatch(/^::error::Firefox will refuse this package\.$/m);
  });

  it('says of a token that is refused where it comes from, and not how to log in', async () => {
    await at('chrome');
    const { code, log } = await step({ token: 'cut-off', package: await author.pack('1.0.0') });
    expect(code).toBe(1);
    expect(log).toContain('\nStore a valid access token in the secret that the input "token" reads.');
    expect(log).not.toContain('pierhead login');
  });

  it('fails without a token, without a rule, and without an address, and says what to do', async () => {
    await at('chrome');
    const inputs = { package: await author.pack('1.0.0') };
    const without = await step(inputs);
    expect(without).toMatchObject({
      code: 1,
      outputs: {},
      log: expect.stringContaining('permissions: id-token: write'),
    });
    expect(without.log).toMatch(/^::error::There is no token for Pierhead\.$/m);
    const unnamed = await step(inputs, runner.mayHaveToken);
    expect(unnamed.log).toMatch(/^::error::It is not clear which tenant’s trust rules apply\.$/m);
    const all = { url: runner.url, extension: author.extensionId, ...inputs };
    const untrusted = await (await runner.start(author.shell.folder, all, runner.mayHaveToken)).ended;
    expect(untrusted).toMatchObject({
      code: 1,
      log: expect.stringMatching(/^::error::.*rule.*\(request [\da-f-]{36}\)$/m),
    });
    const nowhere = await step({ ...inputs, url: '' });
    expect(nowhere).toMatchObject({
      code: 1,
      log: expect.stringMatching(/^::error::Input required and not supplied: url$/m),
    });
  });

  it.each<[string, Readonly<Record<string, string>>, RegExp]>([
    ['a state', { wait: 'live\n::error::pwned' }, /^::error::.*Allowed choices are/m],
    ['a duration', { timeout: '1m\r::error::pwned' }, /^::error::".*" is not a valid duration/m],
    ['a store', { stores: 'chrome\n::error::pwned ##[error]pwned' }, /^::error::.*pwned/m],
    ['an extension', { extension: 'Owl\n::error::pwned\n##[error]pwned' }, /^::error::You have no extension "Owl%0A/m],
    ['a package', { package: 'x\n::error::pwned' }, /^::error::.*x%0A::error::pwned/m],
    ['an option as a package', { package: '--yes' }, /^::error::.*--yes/m],
    [
      'notes that are too long',
      { notes: 'x'.repeat(100_000) },
      /^::error::Notes of 100000 characters are too long\.$/m,
    ],
    ['an address', { url: 'javascript:alert(1)' }, /^::error::.*is not the address of a service/m],
    ['a token of two lines', { token: 'a\n::error::pwned' }, /^::error::.*token/im],
  ])('carries out nothing that stands in an input, and fails: %s', async (_case, inputs, says) => {
    await at('chrome');
    const { code, log, outputs } = await step({ token: author.token, package: await author.pack('1.0.0'), ...inputs });
    expect({ code, outputs }).toEqual({ code: 1, outputs: {} });
    expect(log).toMatch(says);
    expect(log).not.toMatch(PWNED);
  });

  it('carries out nothing that a manifest or notes say', async () => {
    await at('chrome');
    const notes = '100 %0A faster\n::error::pwned\r\n${{ secrets.A }} `id` $(id)';
    const file = await author.pack('1.0.0', { name: 'Night\n::error::pwned\n\n![](https://x.example)##[error]pwned' });
    const { log, summary } = await step({ token: author.token, package: file, notes, wait: '' });
    expect(log).toContain('\n: :error::pwned\n');
    expect(log + summary).not.toMatch(PWNED);
    expect(summary).not.toContain('\n\n');
    const { body } = await world.api.as(author).get(`/artifacts?extension=${author.extensionId}`);
    expect(body.artifacts).toMatchObject([{ notes: notes.trim() }]);
  });

  it('fails at what the service refuses, field by field, and at a wrong input', async () => {
    await at('chrome');
    const file = await author.pack('1.0.0', { permissions: 'tabs' });
    const refused = await step({ token: author.token, package: file });
    expect(refused).toMatchObject({ code: 1, log: expect.stringMatching(/^::error::.*permissions must be a list/m) });
    const wrong = await step({ token: author.token, package: file, wait: 'forever' });
    expect(wrong).toMatchObject({
      code: 1,
      log: expect.stringMatching(/^::error::.*Allowed choices are submitted, approved, live/m),
    });
  });
});

describe('what others wrote', () => {
  it.each([
    ['::error::pwned', ': :error::pwned'],
    ['Night\n \t::add-mask::a\r\n::stop-commands::x', 'Night\n \t: :add-mask::a\r\n: :stop-commands::x'],
    ['\u00A0::set-output name=a::b', '\u00A0: :set-output name=a::b'],
    ['Night ##[error]pwned', 'Night ## [error]pwned'],
    ['Chrome: 100 % :: of it', 'Chrome: 100 % :: of it'],
  ])('is no command to the runner: %j', (text, harmless) => {
    expect(escapeWorkflowCommands(text)).toBe(harmless);
  });
});

describe('the token of a job', () => {
  it('is exchanged once for many requests, and again before it expires', async () => {
    const { runner, world } = await GitHubRunner.withService();
    const { tenantId, cookie } = await world.given.tenant();
    expectStatus(await world.api.as({ cookie }).post('/ci/trust-rules', RULE), 201);
    Object.assign(process.env, runner.mayHaveToken);
    let now = 0;
    const bearer = jobToken(runner.url, { tenantId }, { userAgent: 'test', retryForMs: 1000 }, () => now);
    const first = await bearer();
    now += 12 * 60_000;
    expect(await bearer()).toBe(first);
    now += 2 * 60_000;
    const second = await bearer();
    expect(second).not.toBe(first);
    for (const token of [first, second])
      expect(await world.api.as({ token }).get('/extensions')).toMatchObject({ status: 200 });
    for (const name of Object.keys(runner.mayHaveToken)) Reflect.deleteProperty(process.env, name);
    await world.close();
    await runner.close();
  });
});

describe('the action as it is committed', () => {
  it('runs on what GitHub has, and tells all that action.yml promises', async () => {
    const { inputs, outputs, runs } = await described();
    expect(runs).toEqual({ using: 'node24', main: 'dist/index.js' });
    expect(Object.keys(inputs)).toEqual([
      'url',
      'token',
      'tenant',
      'extension',
      'package',
      'sources',
      'stores',
      'target',
      'notes',
      'notes-file',
      'wait',
      'timeout',
    ]);
    const ofStores = ['chrome', 'firefox', 'edge', 'safari'].flatMap((store) => [`${store}-phase`, `${store}-version`]);
    expect(Object.keys(outputs)).toEqual(['outcome', 'version', ...ofStores]);
  });

  it('is what its sources build: run `npm run build -w clients/action` after a change', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pierhead-action-'));
    const cwd = fileURLToPath(new URL('../../clients/action', import.meta.url));
    const { status, stderr } = spawnSync('npm', ['run', 'build', '--silent', '--', '-o', join(folder, 'index.js')], {
      cwd,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, expect.any(String)]);
    for (const name of ['index.js', 'LICENSES.txt']) {
      const [built, committed] = await Promise.all([readFile(join(folder, name)), readFile(join(cwd, 'dist', name))]);
      expect(built.equals(committed)).toBe(true);
    }
    await rm(folder, { recursive: true });
  });
});
