import { randomUUID } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Target } from '../../src/targets/targets.dto.js';
import { startWorld, type World } from '../support/app.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { Shell } from './shell.js';

const MANIFEST = JSON.stringify({ manifest_version: 3, name: 'Tab Counter', version: '1.0.0' });

/** What a store says of an item that it knows. */
const SAID = expect.stringMatching(/./);

/** The stores' sides of an author who has published with other tools so far. */
interface Accounts {
  readonly chrome: Awaited<ReturnType<World['control']['chromeAccount']>> & { readonly itemId: string };
  readonly firefox: { readonly issuer: string; readonly secret: string; readonly addon: string };
  readonly edge: { readonly clientId: string; readonly apiKey: string; readonly productId: string };
  readonly safari: { readonly issuerId: string; readonly keyId: string; readonly privateKey: string };
}

describe('pierhead migrate', () => {
  let world: World;
  let tenant: Tenant;
  let shell: Shell;
  let mine: Accounts;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    tenant = await world.given.tenant();
    mine = await accounts();
    shell = await Shell.open();
    await shell.run(['login', world.url, '--email', tenant.email, '--password-stdin'], {
      stdin: `${tenant.password}\n`,
    });
    await shell.write('dist/manifest.json', MANIFEST);
  });
  afterEach(() => shell.close());

  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads what it expects
  const sim = async (path: string, body: object): Promise<any> => {
    const answer = await fetch(`${world.sandbox.url}/__sim${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return answer.json();
  };
  const accounts = async (): Promise<Accounts> => {
    const chrome = await world.control.chromeAccount();
    const { itemId } = await world.control.chromeItem({ publisherId: chrome.publisherId });
    const firefox = await sim('/firefox/accounts', { isThrottled: false });
    const addon = randomUUID();
    await sim('/firefox/addons', { issuer: firefox.issuer, guid: `{${addon}}` });
    const edge = await sim('/edge/accounts', {});
    const { productId } = await sim('/edge/products', { clientId: edge.clientId });
    const safari = await sim('/safari/keys', {});
    await sim('/safari/apps', { issuerId: safari.issuerId, bundleId: `com.example.${itemId}` });
    return { chrome: { ...chrome, itemId }, firefox: { ...firefox, addon }, edge: { ...edge, productId }, safari };
  };

  const keyOf = ({ serviceAccount }: Accounts['chrome']): string => serviceAccount.private_key ?? '';

  /** As publish-browser-extension 6.2 writes it: keys on one line, and the add-on's UUID without its braces. */
  const submitEnv = ({ chrome, firefox, edge }: Accounts): string =>
    [
      `CHROME_PUBLISHER_ID="${chrome.publisherId}"`,
      `CHROME_SERVICE_ACCOUNT_CLIENT_EMAIL="${chrome.serviceAccount.client_email}"`,
      `CHROME_SERVICE_ACCOUNT_PRIVATE_KEY="${keyOf(chrome).replaceAll('\n', String.raw`\n`)}"`,
      `CHROME_EXTENSION_ID="${chrome.itemId}"`,
      'CHROME_DEPLOY_PERCENTAGE="10"',
      `FIREFOX_EXTENSION_ID="${firefox.addon}"`,
      `FIREFOX_JWT_ISSUER="${firefox.issuer}"`,
      `FIREFOX_JWT_SECRET="${firefox.secret}"`,
      `EDGE_PRODUCT_ID="${edge.productId}"`,
      `EDGE_CLIENT_ID="${edge.clientId}"`,
      `EDGE_API_KEY="${edge.apiKey}"`,
      'OPERA_PACKAGE_ID="1234"',
    ].join('\n');
  const fastlaneKey = ({ safari }: Accounts): string =>
    JSON.stringify({ key_id: safari.keyId, issuer_id: safari.issuerId, key: safari.privateKey, in_house: false });

  const extensions = async () =>
    expectStatus(await world.api.as(tenant).get('/extensions'), 200).body.items as readonly {
      id: string;
      name: string;
    }[];
  const targets = async (): Promise<Readonly<Record<string, Target>>> => {
    const [extension] = await extensions();
    const { body } = expectStatus(await world.api.as(tenant).get(`/extensions/${extension?.id}/targets`), 200);
    return Object.fromEntries((body.targets as readonly Target[]).map((target) => [target.store, target]));
  };
  const credentials = async (): Promise<readonly { id: string; store: string; lastFour: string }[]> =>
    expectStatus(await world.api.as({ cookie: tenant.cookie }).get('/credentials'), 200).body.items;

  it('connects every store, reports what happened to each setting, and changes none of the files', async () => {
    await shell.write('.env.submit', submitEnv(mine));
    await shell.write('fastlane/api_key.json', fastlaneKey(mine));
    await shell.write('fastlane/Appfile', `app_identifier("com.example.${mine.chrome.itemId}")\n`);
    const { code, stdout, stderr } = await shell.run(['migrate']);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: [
        'Tab Counter',
        '  Chrome   key saved  target changed',
        '  Firefox  key saved  target changed',
        '  Edge     key saved  target changed',
        '  Safari   key saved  target changed',
        'Added $schema and extension to pierhead.json. Your other files are unchanged.',
        '',
      ].join('\n'),
    });
    expect(stderr).toMatch(/✓ {2}\.env\.submit +FIREFOX_JWT_SECRET +part of the credential\n/);
    expect(stderr).toMatch(/– {2}\.env\.submit +OPERA_PACKAGE_ID +Pierhead does not publish to Opera/);
    expect(stderr).toMatch(/– {2}fastlane\/api_key\.json +in_house +Pierhead publishes to the App Store/);
    for (const item of [
      `Chrome knows the item ${mine.chrome.itemId}`,
      `Firefox knows the item {${mine.firefox.addon}}`,
      `Edge knows the item ${mine.edge.productId}`,
      `Safari knows the item com.example.${mine.chrome.itemId}`,
    ])
      expect(stderr).toContain(`  ✓ ${item}. `);
    expect(await targets()).toMatchObject({
      chrome: { storeItemId: mine.chrome.itemId, enabled: true, rolloutPercent: 10 },
      firefox: { storeItemId: `{${mine.firefox.addon}}`, enabled: true },
      edge: { storeItemId: mine.edge.productId, enabled: true },
      safari: { storeItemId: `com.example.${mine.chrome.itemId}`, enabled: true },
    });
    expect(await shell.read('.env.submit')).toBe(submitEnv(mine));
    expect(await shell.read('fastlane/api_key.json')).toBe(fastlaneKey(mine));
    expect(JSON.parse(await shell.read('pierhead.json'))).toEqual({
      $schema: `${world.url}/schemas/pierhead.json`,
      extension: 'Tab Counter',
    });
  });

  it('does nothing the second time', async () => {
    await shell.write('.env.submit', submitEnv(mine));
    await shell.write('fastlane/api_key.json', fastlaneKey(mine));
    await shell.json(['migrate']);
    const [before, file] = [await credentials(), await stat(join(shell.folder, 'pierhead.json'))];
    const again = await shell.json(['migrate']);
    expect(again.stores).toEqual([
      { store: 'chrome', credential: 'unchanged', target: 'unchanged', enabled: true, because: SAID },
      { store: 'firefox', credential: 'unchanged', target: 'unchanged', enabled: true, because: SAID },
      { store: 'edge', credential: 'unchanged', target: 'unchanged', enabled: true, because: SAID },
      { store: 'safari', credential: 'unchanged', target: 'unchanged', enabled: false, because: null },
    ]);
    expect(again.file).toEqual({ path: 'pierhead.json', added: [] });
    expect(await credentials()).toEqual(before);
    expect(await extensions()).toHaveLength(1);
    expect((await stat(join(shell.folder, 'pierhead.json'))).mtimeMs).toBe(file.mtimeMs);
  });

  it('replaces a key that was rotated at the store, under the same credential', async () => {
    await shell.write('.env.submit', submitEnv(mine));
    await shell.json(['migrate']);
    const before = (await credentials()).find(({ store }) => store === 'edge');
    const { apiKey } = await sim(`/edge/accounts/${mine.edge.clientId}/rotate`, {});
    await shell.write('.env.submit', submitEnv({ ...mine, edge: { ...mine.edge, apiKey } }));
    const { stores } = await shell.json(['migrate']);
    expect(stores).toContainEqual({
      store: 'edge',
      credential: 'rotated',
      target: 'unchanged',
      enabled: true,
      because: SAID,
    });
    const after = (await credentials()).find(({ store }) => store === 'edge');
    expect(after).toMatchObject({ id: before?.id, lastFour: apiKey.slice(-4) });
  });

  it('takes a refresh token of the ended API, with the publisher id that it did not need', async () => {
    const { oauth, publisherId, itemId } = mine.chrome;
    await shell.write(
      '.env.submit',
      `CHROME_EXTENSION_ID=${itemId}\nCHROME_CLIENT_ID=${oauth.clientId}\nCHROME_CLIENT_SECRET=${oauth.clientSecret}\nCHROME_REFRESH_TOKEN=${oauth.refreshToken}\n`,
    );
    const without = await shell.run(['migrate']);
    expect(without).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('not connected yet: pierhead connect chrome'),
    });
    expect(without.stderr).toContain('add --chrome-publisher');
    expect(await credentials()).toEqual([]);
    const { stores } = await shell.json(['migrate', '--chrome-publisher', publisherId]);
    expect(stores).toEqual([
      { store: 'chrome', credential: 'created', target: 'changed', enabled: true, because: SAID },
    ]);
  });

  it('takes the settings of web-ext and of its environment', async () => {
    await shell.write(
      'web-ext-config.cjs',
      "module.exports = { sourceDir: 'dist', ignoreFiles: ['**/*.map'], sign: { channel: 'unlisted' } };",
    );
    const env = { WEB_EXT_API_KEY: mine.firefox.issuer, WEB_EXT_API_SECRET: mine.firefox.secret };
    const { stores } = await shell.json(['migrate', '--extension', 'Counter'], { env });
    expect(stores).toEqual([
      { store: 'firefox', credential: 'created', target: 'changed', enabled: false, because: null },
    ]);
    expect((await targets())['firefox']).toMatchObject({ channel: 'unlisted', enabled: false });
    expect(JSON.parse(await shell.read('pierhead.json'))).toMatchObject({
      extension: 'Counter',
      package: 'dist',
      ignoreFiles: ['**/*.map'],
    });
  });

  it('brings the other stores over when one refuses its key, and says what the store said', async () => {
    await shell.write('.env.submit', submitEnv({ ...mine, firefox: { ...mine.firefox, secret: 'x'.repeat(64) } }));
    const { code, stdout, stderr } = await shell.run(['migrate']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/Chrome +key saved[^]*Firefox +refused[^]*Edge +key saved/);
    expect(stderr).toMatch(/✗ Firefox: .*\n {2}.*pierhead connect firefox\n {2}request /);
    expect((await credentials()).map(({ store }) => store).sort()).toEqual(['chrome', 'edge']);
  });

  it('connects no store that does not know the item, and says so, also the next time', async () => {
    await shell.write('.env.submit', submitEnv({ ...mine, chrome: { ...mine.chrome, itemId: 'a'.repeat(32) } }));
    for (const _ of ['first', 'second']) {
      const { code, stdout, stderr } = await shell.run(['migrate']);
      expect(code).toBe(1);
      expect(stdout).toMatch(/Chrome +refused[^]*Edge +key \w+/);
      expect(stderr).toMatch(/✗ Chrome: .*\n {2}.*pierhead connect chrome\n/);
      expect(stderr).not.toContain('Chrome knows');
    }
    expect(await targets()).toMatchObject({
      chrome: { enabled: false, storeItemId: null, credentialId: null, rolloutPercent: null },
      edge: { enabled: true },
    });
  });

  it('keeps what pierhead.json says, with its comments', async () => {
    await shell.write('.env.submit', 'FIREFOX_SOURCES_ZIP=new.zip\nFIREFOX_CHANNEL=listed\n');
    await shell.write('pierhead.json', '{\n  // ours\n  "extension": "Night Owl",\n  "sources": "old.zip"\n}\n');
    await shell.json(['migrate']);
    expect(await shell.read('pierhead.json')).toBe(
      '{\n  // ours\n  "extension": "Night Owl",\n  "sources": "old.zip"\n}\n',
    );
    expect((await extensions()).map(({ name }) => name)).toEqual(['Night Owl']);
  });

  it('with --dry-run only reports, and calls no service', async () => {
    await shell.write('.env.submit', submitEnv(mine));
    const { lines } = await shell.json(['migrate', '--dry-run'], { env: { PIERHEAD_URL: 'http://127.0.0.1:9' } });
    expect(lines).toContainEqual({
      from: '.env.submit',
      name: 'EDGE_API_KEY',
      outcome: 'taken',
      note: 'part of the credential',
    });
    expect(await extensions()).toEqual([]);
    await expect(shell.read('pierhead.json')).rejects.toThrow('ENOENT');
  });

  it.each<[string, readonly string[], number, RegExp]>([
    ['where nothing is', ['migrate'], 1, /There is nothing to import/],
    ['for a file that is not there', ['migrate', '--submit-env', 'other.env'], 2, /other\.env cannot be read/],
    ['for the usual file that is named', ['migrate', '--submit-env', '.env.submit'], 2, /there is no such file/],
    ['for a key that is not there', ['migrate', '--fastlane-key', 'key.json'], 2, /key\.json cannot be read/],
    [
      'for a key that is none',
      ['migrate', '--fastlane-key', 'dist/manifest.json'],
      2,
      /holds no key of App Store Connect/,
    ],
  ])('fails %s', async (_case, args, code, message) => {
    expect(await shell.run(args)).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) });
  });

  it('leaves no secret behind: not on the screen, and in no file but those that had it', async () => {
    await shell.write('.env.submit', submitEnv(mine));
    await shell.write('fastlane/api_key.json', fastlaneKey(mine));
    await shell.run(['migrate', '--json']);
    await shell.run(['migrate']);
    const { chrome, firefox, edge, safari } = mine;
    const body = (pem: string): string => pem.split('\n')[1] ?? '';
    const secrets = [firefox.secret, edge.apiKey, body(keyOf(chrome)), body(safari.privateKey)];
    const written = ['pierhead.json', 'home/pierhead/config.json'];
    const texts = [shell.said, ...(await Promise.all(written.map((file) => shell.read(file))))];
    for (const secret of secrets) for (const text of texts) expect(text).not.toContain(secret);
    const files = (await readdir(shell.folder, { recursive: true, withFileTypes: true })).filter((each) =>
      each.isFile(),
    );
    expect(files.map(({ name }) => name).sort()).toEqual([
      '.env.submit',
      'api_key.json',
      'config.json',
      'manifest.json',
      'pierhead.json',
    ]);
    expect(await readFile(join(shell.folder, '.env.submit'), 'utf8')).toBe(submitEnv(mine));
  });
});
