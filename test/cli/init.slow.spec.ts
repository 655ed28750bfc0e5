import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { generate } from 'otplib';
import { startWorld, type World } from '../support/app.js';
import { MINUTE } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import {
  chromeKeyOf,
  connectChrome,
  connectEdge,
  connectFirefox,
  connectSafari,
  newcomerAt,
  STACK,
  type Newcomer,
} from './newcomer.js';
import type { PseudoTerminal } from './pseudo-terminal.js';

interface TargetSeen {
  readonly store: string;
  readonly enabled: boolean;
  readonly storeItemId: string | null;
  readonly credentialId: string | null;
}

describe('pierhead init', () => {
  let world: World;
  let me: Newcomer;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    me = await newcomerAt(world);
  });
  afterEach(() => me.shell.close());

  const targets = async (): Promise<readonly TargetSeen[]> => (await me.shell.json(['status'])).items[0]?.targets ?? [];
  const enabled = async (): Promise<readonly string[]> =>
    (await targets()).filter((target) => target.enabled).map(({ store }) => store);
  const credentials = async (): Promise<readonly { readonly store: string }[]> =>
    (await world.api.as({ cookie: me.cookie }).get('/credentials')).body.items;
  const rules = async (): Promise<readonly object[]> =>
    (await world.api.as({ cookie: me.cookie }).get('/ci/trust-rules')).body.items;
  /** Chooses stores by their place in the list, from the first. */
  const choose = async (terminal: PseudoTerminal, ...places: readonly number[]): Promise<void> => {
    await terminal.reads(/Where does it go\?/);
    for (let at = 0; at <= Math.max(...places); at += 1) {
      if (at > 0) terminal.press('down');
      if (places.includes(at)) terminal.press('space');
    }
    terminal.press('enter');
  };
  const atGitHub = async (): Promise<void> => {
    await mkdir(join(me.shell.folder, '.git'));
    await me.shell.write('.git/config', '[remote "origin"]\n\turl = git@github.com:acme/night-owl.git\n');
  };
  /** All files of the project, without the user's own settings and the keys that the person downloaded. */
  const filesOf = async (): Promise<readonly string[]> => {
    const names = await readdir(me.shell.folder, { recursive: true, withFileTypes: true });
    const files = names.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    return files.filter((file) => !/\/(home|Downloads)\//.test(file));
  };

  it('leads to all four stores and to a workflow without a secret, and finds all that done the second time', async () => {
    await atGitHub();
    await me.shell.write('package.json', JSON.stringify({ scripts: { build: 'build' } }));
    const terminal = me.run('init');
    await choose(terminal, 0, 1, 2, 3);
    await connectChrome(terminal, me.shell, await me.testStore('chrome'));
    await terminal.reads(/✓ Chrome knows/);
    await connectFirefox(terminal, await me.testStore('firefox'));
    await terminal.reads(/✓ Firefox knows/);
    await connectEdge(terminal, await me.testStore('edge'));
    await terminal.reads(/✓ Edge knows/);
    await connectSafari(terminal, me.shell, await me.testStore('safari'));
    await terminal.reads(/✓ Safari knows/);
    await terminal.answers(/does it use encryption/);
    await terminal.answers(/Add a GitHub workflow that publishes each tag such as v1\.4\.0\?/);
    await terminal.reads(/Wrote \.github\/workflows\/publish\.yml/);
    await terminal.reads(/Connected to Chrome, Firefox, Edge and Safari\./);
    expect(await terminal.ends()).toBe(0);
    expect(await enabled()).toEqual(['chrome', 'firefox', 'edge', 'safari']);
    const [{ id }] = (await me.shell.json(['api', 'GET', '/extensions'])).items;
    const workflow = await me.shell.read('.github/workflows/publish.yml');
    const pushes = [`push dist --extension ${id} --sources . --wait`, `export/*.pkg --extension ${id} --store safari`];
    for (const line of ['# Night Owl', ...pushes, 'run: npm run build', '  publish-safari:'])
      expect(workflow).toContain(line);
    expect(await rules()).toMatchObject([
      {
        repository: 'acme/night-owl',
        ref: 'refs/tags/v*',
        extensionIds: [id],
        scopes: ['artifacts:write', 'extensions:read'],
      },
    ]);

    const again = me.run('init');
    await again.reads(/Known as "Night Owl"/);
    await again.answers(/Where does it go\?/);
    await again.reads(
      /✓ Chrome is connected[^]+✓ Firefox is connected[^]+✓ Edge is connected[^]+✓ Safari is connected/,
    );
    await again.reads(/Connected to Chrome, Firefox, Edge and Safari\./);
    expect(await again.ends()).toBe(0);
    expect(await credentials()).toHaveLength(4);
    expect(await rules()).toHaveLength(1);

    const secrets = [terminal, again].map(({ said }) => said);
    for (const file of await filesOf()) secrets.push(await readFile(file, 'utf8'));
    for (const store of ['chrome', 'firefox', 'edge', 'safari'] as const) {
      const values = JSON.stringify((await me.testStore(store)).credentials);
      for (const [, secret = ''] of values.matchAll(/"(?:secret|apiKey|privateKey|private_key)":"([^"]{40})/g))
        expect(secrets.filter((text) => text.includes(secret.slice(-8)))).toEqual([]);
    }
  });

  it('tells what is wrong with each answer about a key, and asks again', async () => {
    const testStore = await me.testStore('firefox');
    const { issuer, secret } = testStore.credentials as { readonly issuer: string; readonly secret: string };
    const terminal = me.run('init');
    await choose(terminal, 1);
    await terminal.answers(/JWT issuer\s+[^.]*$/);
    await terminal.reads(/Required\./);
    terminal.types('user:1:1').press('enter');
    await terminal.answers(/JWT secret\s+[^.]*$/, 'a wrong secret');
    await terminal.reads(/✗ The store rejected the credentials, and nothing was saved\./);
    await terminal.reads(/Follow the steps above again/);
    await terminal.answers(/Try again\?/);
    await terminal.answers(/JWT issuer\s+[^.]*$/, issuer);
    await terminal.answers(/JWT secret\s+[^.]*$/, secret);
    await terminal.reads(/✓ Signed in as/);
    await terminal.answers(/Add-on id, or/);
    await terminal.reads(/Connected to Firefox/);
    expect(await terminal.ends()).toBe(0);
    expect(terminal.said).not.toMatch(STACK);
    expect(await credentials()).toHaveLength(1);
  });

  it('stays quiet about itself after many wrong answers, and takes a key file where it asks for the issuer', async () => {
    const testStore = await me.testStore('firefox');
    await me.shell.write('Downloads/amo.json', JSON.stringify(testStore.credentials));
    const terminal = me.run('init');
    await choose(terminal, 1);
    for (let time = 1; time <= 10; time += 1) {
      await terminal.answers(/JWT issuer\s+[^.]*$/, `user:1:${time}`);
      await terminal.answers(/JWT secret\s+[^.]*$/, 'a wrong secret');
      await terminal.answers(/Try again\?/);
    }
    await terminal.answers(/JWT issuer\s+[^.]*$/, 'Downloads/amo.json');
    await terminal.answers(/Add-on id, or/);
    await terminal.reads(/Connected to Firefox/);
    expect(await terminal.ends()).toBe(0);
    expect(terminal.said).not.toContain('Warning');
  });

  it('uses the key that the service has already when it is given again, and sends none without an item', async () => {
    const testStore = await me.testStore('chrome');
    await me.shell.json(['api', 'POST', '/extensions', '--input', '-'], { stdin: '{"name":"Night Owl"}' });
    const connect = [
      'connect',
      'chrome',
      '--key-file',
      await me.shell.write('key.json', JSON.stringify(testStore.credentials)),
    ];
    expect(await me.shell.run(connect)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Item id is missing'),
    });
    expect(await credentials()).toHaveLength(0);
    // The store shows by the item whose key it is.
    expect((await me.shell.run([...connect, '--item', 'a'.repeat(32)])).code).toBe(1);
    expect(await credentials()).toHaveLength(0);
    for (const _ of ['first', 'second'])
      expect((await me.shell.run([...connect, '--item', testStore.settings.storeItemId])).code).toBe(0);
    expect(await credentials()).toHaveLength(1);
  });

  it('ends by Ctrl-D as by Ctrl-C', async () => {
    const terminal = me.run('init');
    await terminal.reads(/Where does it go\?/);
    terminal.types('\u0004');
    expect(await terminal.ends()).toBe(130);
    expect(terminal.said).toContain('Continue with: pierhead init');
  });

  it('tells what is wrong with a key file, and asks again', async () => {
    const testStore = await me.testStore('chrome');
    const { publisherId, serviceAccount } = chromeKeyOf(testStore);
    await me.shell.write('key.json', JSON.stringify(serviceAccount));
    await me.shell.write('other.json', '{"client_email":"a@b.example"}');
    await me.shell.write('broken.json', JSON.stringify({ ...serviceAccount, private_key: 'no key' }));
    const terminal = me.run('init');
    await choose(terminal, 0);
    await terminal.answers(/Which kind of key do you have\?/);
    await terminal.answers(/Key file/, 'nowhere.json');
    await terminal.reads(/nowhere\.json cannot be read/);
    await terminal.answers(/Key file/, 'other.json');
    await terminal.reads(/other\.json is not a key file for Chrome Web Store/);
    await terminal.answers(/Key file/, 'broken.json');
    await terminal.answers(/Publisher id/, publisherId);
    await terminal.reads(/must be a PKCS#8 private key/);
    await terminal.answers(/Try again\?/);
    await terminal.answers(/Key file/, 'key.json');
    await terminal.answers(/Publisher id/, publisherId);
    await terminal.reads(/✓ Signed in as/);
    await terminal.answers(/Item id/, 'rubbish');
    await terminal.reads(/That does not name it/);
    terminal.press('interrupt');
    expect(await terminal.ends()).toBe(130);
    expect(terminal.said).not.toMatch(STACK);
  });

  it('refuses an item of somebody else, leaves nothing behind, and takes the right one then', async () => {
    const mine = await me.testStore('chrome');
    const other = await (await newcomerAt(world, 'Other')).testStore('chrome');
    const terminal = me.run('init');
    await choose(terminal, 0);
    await connectChrome(terminal, me.shell, { ...mine, settings: other.settings });
    await terminal.reads(/✗ Chrome: /);
    expect(await enabled()).toEqual([]);
    await terminal.answers(/Item id/, mine.settings.storeItemId);
    await terminal.reads(/✓ Chrome knows the item/);
    expect(await terminal.ends()).toBe(0);
    expect(await targets()).toContainEqual(
      expect.objectContaining({ store: 'chrome', enabled: true, storeItemId: mine.settings.storeItemId }),
    );
  });

  it('says so when the store does not answer, and saves nothing', async () => {
    const testStore = await me.testStore('chrome');
    const { publisherId, serviceAccount } = chromeKeyOf(testStore);
    await me.shell.write('key.json', JSON.stringify(serviceAccount));
    await world.control.fault({ publisherId, match: { operation: 'token' }, kind: 'status', status: 503, times: 99 });
    const terminal = me.run('init');
    await choose(terminal, 0);
    await terminal.answers(/Which kind of key do you have\?/);
    await terminal.answers(/Key file/, 'key.json');
    await terminal.answers(/Publisher id/, publisherId);
    await terminal.reads(/Chrome Web Store does not answer\./);
    await terminal.reads(/Try again\?/);
    terminal.types('n');
    await terminal.reads(/✗ The store is not connected yet\.\s+Nothing is lost\. Continue with: pierhead init/);
    expect(await terminal.ends()).toBe(1);
    expect(terminal.said).not.toMatch(STACK);
    expect(await credentials()).toEqual([]);
  });

  it('asks for the second factor when the session has not shown it lately', async () => {
    const api = world.api.as({ cookie: me.cookie });
    const { secret } = expectStatus(await api.post('/auth/second-factor', { password: me.password }), 201).body;
    const codeNow = (): Promise<string> => generate({ secret, epoch: Math.floor(world.clock.now().getTime() / 1000) });
    expectStatus(await api.post('/auth/second-factor/confirm', { code: await codeNow() }), 200);
    await world.forward(20 * MINUTE);
    const terminal = me.run('init');
    await choose(terminal, 0);
    const { publisherId, serviceAccount } = chromeKeyOf(await me.testStore('chrome'));
    await me.shell.write('key.json', JSON.stringify(serviceAccount));
    await terminal.answers(/Which kind of key do you have\?/);
    await terminal.answers(/Key file/, 'key.json');
    await terminal.answers(/Publisher id/, publisherId);
    await terminal.answers(/Code from your authenticator app/, '000000');
    await terminal.reads(/The code is wrong/);
    await terminal.answers(/Code from your authenticator app/, await codeNow());
    await terminal.reads(/✓ Signed in as/);
    await terminal.answers(/Item id/, (await me.testStore('chrome')).settings.storeItemId);
    expect(await terminal.ends()).toBe(0);
    expect(await enabled()).toEqual(['chrome']);
  });

  it('finds what WXT built, and names no file in pierhead.json that the next version would not have', async () => {
    const manifest = { manifest_version: 3, name: 'Night Owl', version: '2.0.0' };
    await me.shell.write('.output/chrome-mv3/manifest.json', JSON.stringify(manifest));
    const gecko = { id: me.guid };
    const forFirefox = { ...manifest, manifest_version: 2, browser_specific_settings: { gecko } };
    await me.shell.write('.output/firefox-mv2/manifest.json', JSON.stringify(forFirefox));
    const terminal = me.run('init');
    await terminal.reads(/Night Owl 2\.0\.0 · Manifest V3 · found in \.output\/chrome-mv3 by WXT/);
    await choose(terminal, 1);
    await connectFirefox(terminal, await me.testStore('firefox'));
    await terminal.reads(/✓ Firefox knows the item/);
    expect(await terminal.ends()).toBe(0);
    expect(JSON.parse(await me.shell.read('pierhead.json'))).not.toHaveProperty('package');
  });

  it('asks for the id of an add-on whose listing has a slug', async () => {
    await me.shell.write(
      'dist/manifest.json',
      JSON.stringify({ manifest_version: 3, name: 'Night Owl', version: '1' }),
    );
    const testStore = await me.testStore('firefox');
    const { issuer, secret } = testStore.credentials as { readonly issuer: string; readonly secret: string };
    const terminal = me.run('init');
    await choose(terminal, 1);
    await terminal.answers(/JWT issuer\s+[^.]*$/, issuer);
    await terminal.answers(/JWT secret\s+[^.]*$/, secret);
    await terminal.answers(/Add-on id, or/, 'https://addons.mozilla.org/firefox/addon/night-owl/');
    await terminal.reads(/That names the listing "night-owl"/);
    terminal
      .press(...Array<'backspace'>(60).fill('backspace'))
      .types(me.guid)
      .press('enter');
    await terminal.reads(/✓ Firefox knows the item/);
    expect(await terminal.ends()).toBe(0);
  });

  it('says in a sentence when nothing is built, when nobody is logged in, and when the log-in has ended', async () => {
    const { cookie } = me;
    const { items } = (await world.api.as({ cookie }).get('/auth/sessions')).body;
    for (const { id, current } of items)
      if (current === false) await world.api.as({ cookie }).delete(`/auth/sessions/${id}`);
    const ended = me.run('init');
    await ended.reads(/Log in with: pierhead login/);
    expect(await ended.ends()).toBe(4);
    await me.shell.run(['logout']);
    const nobody = me.run('init');
    await nobody.reads(/✗ You are not logged in/);
    expect(await nobody.ends()).toBe(4);
    const empty = me.run('init', 'home');
    await empty.reads(/✗ .+ has nothing to publish/);
    expect(await empty.ends()).toBe(1);
    for (const { said } of [ended, nobody, empty]) expect(said).not.toMatch(STACK);
    expect(await filesOf()).not.toContainEqual(expect.stringContaining('pierhead.json'));
  });

  it('says in a sentence when the service is gone, also while it asks', async () => {
    const lost = await startWorld({ with: world });
    const { code } = await me.shell.run(['login', lost.url, '--email', me.email, '--password-stdin'], {
      stdin: me.password,
    });
    expect(code).toBe(0);
    const { issuer, secret } = (await me.testStore('firefox')).credentials as Readonly<Record<string, string>>;
    const meanwhile = me.run('init');
    await choose(meanwhile, 1);
    await meanwhile.answers(/JWT issuer\s+[^.]*$/, issuer);
    await meanwhile.reads(/JWT secret\s+[^.]*$/);
    await lost.close();
    meanwhile.types(secret ?? '').press('enter');
    const before = me.run('init');
    for (const terminal of [meanwhile, before]) {
      await terminal.reads(/✗ \S+ cannot be reached: it refuses the connection\./);
      expect(await terminal.ends()).toBe(1);
      expect(terminal.said).not.toMatch(STACK);
    }
    expect(await credentials()).toEqual([]);
  });
});
