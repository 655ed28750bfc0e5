import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { testStoreAt, type TestStore } from '../reconcile/test-stores.js';
import { authorAt, type Author } from './author.js';

describe('pierhead push of an extension with two items at Chrome', () => {
  let world: World;
  let author: Author;
  let beta: TestStore;
  let ids: Readonly<Record<'stable' | 'beta' | 'firefox', string>>;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());
  afterEach(() => author.shell.close());

  const begin = async (): Promise<void> => {
    author = await authorAt(world, ['chrome', 'firefox']);
    const { extensionId } = author;
    const api = world.api.as(author);
    beta = await testStoreAt('chrome', world.sandbox.url, '');
    const { credentials } = beta;
    const made = await api.post('/credentials', { store: 'chrome', label: 'beta', credentials });
    const settings = {
      store: 'chrome',
      ...beta.settings,
      credentialId: expectStatus(made, 201).body.id,
      enabled: true,
    };
    ids = {
      stable: await world.given.targetOf(author, extensionId, 'chrome'),
      beta: expectStatus(await api.post(`/extensions/${extensionId}/targets`, settings), 201).body.id,
      firefox: await world.given.targetOf(author, extensionId, 'firefox'),
    };
  };
  const artifacts = async () =>
    expectStatus(await world.api.as(author).get(`/artifacts?extension=${author.extensionId}`), 200).body.artifacts;

  it.each([
    ['nothing', []],
    ['its store', ['--store', 'chrome']],
  ])('that names %s is refused with both, and sends nothing', async (_, args) => {
    await begin();
    const { code, stderr } = await author.shell.run(['push', await author.pack('1.0.0'), ...args]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('The extension has 2 targets at Chrome. Name one with --target.'),
    });
    for (const id of [ids.stable, ids.beta]) expect(stderr).toContain(id);
    expect(await artifacts()).toEqual([]);
  });

  it.each(['--target', '-t'])('goes to the item that %s names, and nowhere else', async (option) => {
    await begin();
    const { storeItemId } = beta.settings;
    const file = await author.pack('1.0.0');
    expect(await author.shell.json(['push', file, option, storeItemId, '--dry-run'])).toMatchObject({
      packages: [{ stores: ['chrome'], targetId: ids.beta }],
    });
    expect(await artifacts()).toEqual([]);
    expect(await author.shell.json(['push', file, option, storeItemId])).toMatchObject({
      pushed: [{ artifact: { store: 'chrome', targetId: ids.beta } }],
      targets: [{ id: ids.beta }],
    });
    await world.tick();
    expect(await beta.done()).toMatchObject({ uploads: 1 });
    expect(await author.testStore('chrome').done()).toMatchObject({ uploads: 0 });
    expect(await author.testStore('firefox').done()).toMatchObject({ uploads: 0 });
  });

  it('goes to the target that pierhead.json names, and to the other stores there', async () => {
    await begin();
    const settings = { extension: author.name, stores: ['chrome', 'firefox'], target: ids.stable };
    await author.shell.write('pierhead.json', JSON.stringify(settings));
    const { pushed, targets } = await author.shell.json(['push', await author.pack('1.0.0')]);
    expect(pushed.map(({ artifact }: { artifact: object }) => artifact)).toMatchObject([
      { store: 'chrome', targetId: ids.stable },
      { store: 'firefox', targetId: null },
    ]);
    expect(targets).toMatchObject([{ id: ids.stable }, { id: ids.firefox }]);
    const elsewhere = await author.shell.json(['push', await author.pack('1.1.0'), '--store', 'firefox']);
    expect(elsewhere.pushed).toMatchObject([{ artifact: { store: 'firefox', targetId: null } }]);
  });

  it('is refused in words of the command line when only the service knows its targets', async () => {
    await begin();
    const token = await world.given.token(author, ['artifacts:write']);
    const { code, stderr } = await author.shell.run(
      ['push', await author.pack('1.0.0'), '--extension', author.extensionId],
      { env: { PIERHEAD_TOKEN: token } },
    );
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/has 2 enabled targets: .+ Name the one .+ with --target;/),
    ]);
    expect(await artifacts()).toEqual([]);
  });
});
