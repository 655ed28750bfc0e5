import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { chromeKeyOf, connectChrome, newcomerAt, type Newcomer } from './newcomer.js';

describe('the first store', () => {
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

  it('is connected by one command, which reads the manifest, shows the steps, and verifies key and item', async () => {
    const { shell } = me;
    const testStore = await me.testStore('chrome');
    const terminal = me.run('init');
    await terminal.reads(/Night Owl 1\.4\.0 · Manifest V3 · found in dist/);
    await terminal.reads(/Registered as "Night Owl"\./);
    await terminal.reads(/Where does it go\?/);
    terminal.press('space', 'enter');
    await connectChrome(terminal, shell, testStore);
    await terminal.reads(/✓ Chrome knows the item/);
    await terminal.reads(/Connected to Chrome\. Publish with: pierhead push/);
    expect(await terminal.ends()).toBe(0);

    expect(JSON.parse(await shell.read('pierhead.json'))).toEqual({
      $schema: `${world.url}/schemas/pierhead.json`,
      extension: 'Night Owl',
      package: 'dist',
    });
    const { items } = await shell.json(['status']);
    expect(items).toMatchObject([{ extension: { name: 'Night Owl' } }]);
    const chrome = items[0].targets.find(({ store }: { readonly store: string }) => store === 'chrome');
    expect(chrome).toMatchObject({ enabled: true, storeItemId: testStore.settings.storeItemId });
    const { serviceAccount } = chromeKeyOf(testStore);
    expect(terminal.said).not.toContain(serviceAccount.private_key.slice(40, 80));
  });

  it('is connected without a terminal, too: by files, standard input and options', async () => {
    const { shell } = me;
    await world.given.extension(me, 'Night Owl');
    const chrome = await me.testStore('chrome');
    const { publisherId, serviceAccount } = chromeKeyOf(chrome);
    await shell.write('key.json', JSON.stringify(serviceAccount));
    const args = ['connect', 'chrome', '--key-file', 'key.json', '--item', chrome.settings.storeItemId];
    const missing = await shell.run(args);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('--set publisherId=…')]);
    // Also the second time, when there is nothing to change.
    for (const _ of ['first', 'second'])
      expect(await shell.json([...args, '--set', `publisherId=${publisherId}`])).toMatchObject({ store: 'chrome' });
    const firefox = await me.testStore('firefox');
    const stdin = JSON.stringify(firefox.credentials);
    expect(await shell.json(['connect', 'firefox', '--key-file', '-'], { stdin })).toMatchObject({ store: 'firefox' });
    const [{ targets }] = (await shell.json(['status'])).items;
    expect(targets.filter(({ enabled }: { readonly enabled: boolean }) => enabled)).toMatchObject([
      { store: 'chrome', storeItemId: chrome.settings.storeItemId },
      { store: 'firefox', storeItemId: me.guid },
    ]);
  });

  it.each([
    [['--set', 'serviceAccount.private_key=x'], 2, /is a secret and must not be passed as an option/],
    [['--set', 'colour=red'], 2, /is not a field of the key/],
    [['--key-file', 'nowhere.json'], 2, /nowhere\.json cannot be read/],
    [['--key-file', 'dist'], 2, /dist cannot be read: it is a folder\./],
    [['--key-file', 'pierhead.txt'], 2, /pierhead\.txt is not a key for Chrome Web Store/],
    [['--item', 'my extension'], 2, /"my extension" is not an item of Chrome/],
    [['--item', 'a'.repeat(32)], 2, /cannot ask without a terminal/],
  ])('is not connected by %j', async (options, code, says) => {
    await world.given.extension(me, 'Night Owl');
    await me.shell.write('pierhead.txt', 'hello');
    const said = await me.shell.run(['connect', 'chrome', ...options]);
    expect([said.code, said.stderr]).toEqual([code, expect.stringMatching(says)]);
    expect((await world.api.as({ cookie: me.cookie }).get('/credentials')).body.items).toEqual([]);
  });
});
