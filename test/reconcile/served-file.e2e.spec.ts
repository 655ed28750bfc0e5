import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EdgeControl } from '../../sandbox/edge/edge-control.js';
import { ListingsWorker, startWorld, Transactions, type World } from '../support/app.js';
import { DAY, HOUR } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { manifestOf, packageOf, zipOf } from '../support/packages.js';
import { Author } from './author.js';
import { CallGate } from './call-gate.js';

const MAX_BYTES = 1_000_000;
const ADDED_KEYS = { key: 'MIIB', differential_fingerprint: '1.abc' };

/** What somebody who has the account may have the store serve, and what an alarm then says. */
const TAMPERED: readonly (readonly [string, Readonly<Record<string, string | null>>, RegExp, object])[] = [
  ['another file', { 'background.js': 'steal();' }, /: changed background\.js\. /, { changed: ['background.js'] }],
  ['one more file', { 'lib/x.js': 'steal();' }, /: added lib\/x\.js\. /, { added: ['lib/x.js'] }],
  ['one file less', { 'background.js': null }, /: missing background\.js\. /, { missing: ['background.js'] }],
  [
    'another permission',
    { 'manifest.json': JSON.stringify({ manifest_version: 3, name: 'x', version: '1.0.0', permissions: ['tabs'] }) },
    /: changed manifest\.json\. /,
    { changed: ['manifest.json'] },
  ],
  [
    'many files more',
    Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`${at}.js`, 'x'])),
    /: added 0\.js, 1\.js, 2\.js, 3\.js, 4\.js and 3 more\. /,
    { added: ['0.js', '1.js', '2.js', '3.js', '4.js'] },
  ],
];

describe('the file that users get', () => {
  let gate: CallGate;
  let world: World;
  /** A second process on the same database. */
  let other: World;
  beforeAll(async () => {
    gate = await CallGate.start();
    const CHROME_UPDATE_URL = `${gate.env['CHROME_API_URL']}/service/update2/crx`;
    const env = { ...gate.env, CHROME_UPDATE_URL, ARTIFACT_MAX_BYTES: String(MAX_BYTES) };
    world = await startWorld({ env });
    gate.leadTo(world.sandbox.url);
    other = await startWorld({ with: world, env });
  });
  afterAll(async () => {
    await other.close();
    await world.close();
    await gate.close();
  });

  const authors: Author[] = [];
  // What is no longer published is not read, with all that stores tell of it.
  afterEach(async () => {
    for (const author of authors.splice(0)) await author.set({ enabled: false });
  });
  const newAuthor = async (): Promise<Author> => {
    const author = await Author.in(world);
    authors.push(author);
    return author;
  };

  const read = (by = world): Promise<void> => by.app.get(ListingsWorker).tick();
  const readNextDay = async (): Promise<void> => {
    await world.forward(DAY);
    await read();
  };
  const publish = async (author: Author, version: string): Promise<void> => {
    expectStatus(await author.push(version), 201);
    await author.reconcile();
    await author.act('approve');
    await world.forward(HOUR);
    await author.reconcile();
    expect((await author.status()).liveVersion).toBe(version);
  };
  /** An author who has published a version with the watch of its file on. */
  const published = async (settings: object = { fileWatched: true }): Promise<Author> => {
    const author = await newAuthor();
    await author.set(settings);
    await publish(author, '1.0.0');
    return author;
  };
  const alarms = async (author: Author) => (await author.events()).filter(({ kind }) => kind === 'unexpected_version');
  const said = async (author: Author): Promise<readonly string[]> =>
    (await author.events()).map(({ message }) => message).filter((message) => / file (of|that)/.test(message));
  const downloads = async (itemId: string): Promise<number> =>
    (await world.control.requests({ itemId, operation: 'download' })).length;
  const SAME = 'Chrome Web Store: The file of version 1.0.0 is the one that was sent.';

  it('is read after a release and once a day, and nothing is said again while it is what was sent', async () => {
    const author = await published();
    await read();
    expect([await said(author), await downloads(author.mine.itemId)]).toEqual([[SAME], 1]);
    await read();
    expect(await downloads(author.mine.itemId)).toBe(1);
    await readNextDay();
    await readNextDay();
    expect([await said(author), await downloads(author.mine.itemId)]).toEqual([[SAME], 3]);
    await publish(author, '1.1.0');
    await read();
    expect(await said(author)).toEqual([SAME, SAME.replace('1.0.0', '1.1.0')]);
    expect(await author.notifications()).toEqual(['live 1.0.0', 'live 1.1.0']);
  });

  it('is not missed while nothing is live', async () => {
    const author = await newAuthor();
    await author.set({ fileWatched: true });
    expectStatus(await author.push('1.0.0'), 201);
    await author.reconcile();
    await read();
    await readNextDay();
    await readNextDay();
    expect(await said(author)).toEqual([]);
    await author.act('approve');
    await author.reconcile();
    await read();
    expect(await said(author)).toEqual([SAME]);
  });

  it('may be larger than the largest package', async () => {
    const author = await newAuthor();
    await author.set({ fileWatched: true });
    const files = {
      'manifest.json': JSON.stringify(manifestOf('1.0.0')),
      'background.js': randomBytes(MAX_BYTES - 1000),
    };
    const zip = new Uint8Array(await zipOf(files));
    const { mine } = author;
    expectStatus(await world.api.as(mine).push({ extension: mine.extensionId, version: '1.0.0' }, zip), 201);
    await author.reconcile();
    await author.act('approve');
    await world.forward(HOUR);
    await author.reconcile();
    await read();
    expect(await said(author)).toEqual([SAME]);
  });

  it.each(TAMPERED)('raises an alarm once when the store serves %s', async (_, servedChanges, words, files) => {
    const author = await published();
    await read();
    await author.dashboard({ servedChanges });
    await readNextDay();
    await readNextDay();
    expect(await alarms(author)).toEqual([
      expect.objectContaining({
        version: '1.0.0',
        targetId: author.mine.targetId,
        message: expect.stringMatching(words),
        data: { changed: [], added: [], missing: [], ...files },
      }),
    ]);
    expect((await alarms(author))[0]?.message).toMatch(
      /^Chrome Web Store: The file of version 1\.0\.0 is not the one that was sent: .* change the passwords .* or roll back\.$/,
    );
    expect(await author.notifications()).toEqual(['live 1.0.0', 'unexpected_version 1.0.0']);
  });

  it('raises another alarm for another file, and says when all is well again', async () => {
    const author = await published();
    const serve = async (servedChanges: object): Promise<void> => {
      await author.dashboard({ servedChanges });
      await readNextDay();
    };
    await serve({ 'background.js': 'one();' });
    await serve({});
    await serve({ 'background.js': 'two();' });
    await serve({ 'background.js': 'one();' });
    expect(
      (await author.events()).map(({ kind }) => kind).filter((kind) => kind === 'unexpected_version'),
    ).toHaveLength(3);
    expect(await said(author)).toEqual([
      expect.stringMatching(/not the one/),
      SAME,
      expect.stringMatching(/not the one/),
      expect.stringMatching(/not the one/),
    ]);
  });

  it('may have what the store itself writes', async () => {
    const author = await newAuthor();
    await author.set({ fileWatched: true });
    await publish(author, '1.0.0');
    const reversed = Object.fromEntries(Object.entries(manifestOf('1.0.0')).toReversed());
    const rewritten = JSON.stringify({ ...ADDED_KEYS, update_url: 'https://store.example', ...reversed });
    await author.dashboard({ servedChanges: { 'manifest.json': rewritten, '_metadata/computed_hashes.json': '{}' } });
    await read();
    expect([await said(author), await alarms(author)]).toEqual([[SAME], []]);
  });

  it('is of an older version under a new number after a rollback', async () => {
    const author = await published();
    await publish(author, '1.1.0');
    const path = `/extensions/${author.mine.extensionId}/targets/${author.mine.targetId}/rollback`;
    const rollback = { version: '1.2.0', to: '1.0.0', reason: 'A fault.' };
    expectStatus(await world.api.as(author.mine).post(path, rollback), 201);
    await author.reconcile();
    expect((await author.item()).published?.package.version).toBe('1.2.0');
    await world.forward(HOUR);
    await author.reconcile();
    await read();
    expect(await said(author)).toEqual([SAME.replace('1.0.0', '1.2.0')]);
    await author.dashboard({ servedChanges: { 'background.js': 'steal();' } });
    await readNextDay();
    expect(await alarms(author)).toMatchObject([{ version: '1.2.0', data: { changed: ['background.js'] } }]);
  });

  it.each([
    ['was live before', async (author: Author): Promise<void> => void (await author.dashboard({ published: '1.0.0' }))],
    [
      'was pushed, and published by hand',
      async (author: Author) => {
        await author.set({ enabled: false });
        expectStatus(await author.push('1.0.0'), 201);
        await author.dashboard({ published: '1.0.0' });
        await author.set({ enabled: true });
      },
    ],
  ] as const)('cannot be compared when the version %s, which is said', async (_, act) => {
    const author = await newAuthor();
    await act(author);
    await author.set({ fileWatched: true });
    await author.reconcile();
    await read();
    await readNextDay();
    expect([await said(author), await downloads(author.mine.itemId)]).toEqual([
      [expect.stringMatching(/The file of version 1\.0\.0 cannot be compared: no package is kept/)],
      0,
    ]);
    expect(await alarms(author)).toEqual([]);
  });

  describe('that cannot be had', () => {
    const aside = (folder: string) => `<?xml version="1.0"?><gupdate><app appid="ITEM" status="ok"><updatecheck
      codebase="${folder}/x.crx" status="ok" version="1.0.0"/></app></gupdate>`;
    type Fault = Parameters<Author['fault']>[1] & { readonly call?: string };
    it.each<[string, Fault, RegExp]>([
      ['is gone', { kind: 'status', status: 404, times: 2 }, /answered 404/],
      ['is elsewhere', { kind: 'status', status: 302, headers: { Location: 'http://127.0.0.1:9/' }, times: 2 }, /302/],
      ['is a page', { kind: 'body', body: '<html></html>', times: 2 }, /sent another file than it offers/],
      ['is too large', { kind: 'huge-body', megabytes: 3, times: 2 }, /more than 2000000 bytes/],
      ['is cut off', { kind: 'drop-after', times: 2 }, /could not be reached/],
      [
        'is at a foreign host',
        { call: 'updateCheck', kind: 'body', body: aside('http://127.0.0.1:9'), times: 2 },
        /not one of its own/,
      ],
      [
        'is at an address of the network',
        { call: 'updateCheck', kind: 'body', body: aside('http://169.254.169.254'), times: 2 },
        /not one of its own/,
      ],
      [
        'is at another port and a long path',
        {
          call: 'updateCheck',
          kind: 'body',
          body: aside(`https://clients2.googleusercontent.com:8443/${'a'.repeat(9000)}`),
          times: 2,
        },
        /\. The Chrome Web Store could not be reached: GET clients2\.googleusercontent\.com:8443\/a{100,200}… is not an address/,
      ],
      [
        'is at no address',
        { call: 'updateCheck', kind: 'body', body: aside('file:///etc'), times: 2 },
        /not one of its own/,
      ],
      [
        'is of an older version',
        { call: 'updateCheck', kind: 'body', body: aside('x').replace('1.0.0', '0.9.0'), times: 2 },
        /offers browsers version 0\.9\.0, while 1\.0\.0 is live/,
      ],
      ['is offered to nobody', { call: 'updateCheck', kind: 'body', body: '<gupdate/>', times: 2 }, /offers no file/],
    ])('because it %s raises nothing, is said the second time, and is tried again', async (_, fault, why) => {
      const author = await published();
      const { call = 'download', body, ...wish } = fault;
      const forItem = typeof body === 'string' ? { body: body.replace('ITEM', author.mine.itemId) } : {};
      await author.fault(call, { ...wish, ...forItem });
      await read();
      expect(await said(author)).toEqual([]);
      await world.forward(HOUR);
      await read();
      await read();
      const unread = expect.stringMatching(/The file that users get could not be compared, and is tried again\./);
      expect(await said(author)).toEqual([unread]);
      expect((await said(author))[0]).toMatch(why);
      await world.forward(HOUR);
      await read();
      expect([await said(author), await alarms(author)]).toEqual([[unread, SAME], []]);
    });

    it.each([
      ['ends early', { servedBytes: 400 }],
      ['is empty', { servedBytes: 0 }],
    ])('because it %s raises nothing either', async (_, change) => {
      const author = await published();
      await author.dashboard(change);
      await read();
      await world.forward(HOUR);
      await read();
      expect([await said(author), await alarms(author)]).toEqual([
        [expect.stringMatching(/could not be compared/)],
        [],
      ]);
    });

    it.each([
      ['is of another version', { servedChanges: { 'manifest.json': '{"manifest_version":3,"version":"0.9.0"}' } }],
      ['has no manifest', { servedChanges: { 'manifest.json': null } }],
      ['has a manifest that only a browser reads', { servedChanges: { 'manifest.json': '{"version":"1.0.0"' } }],
    ])('because it %s raises an alarm the second time', async (_, change) => {
      const author = await published();
      await author.dashboard(change);
      await read();
      expect([await said(author), await alarms(author)]).toEqual([[], []]);
      for (const ms of [HOUR, HOUR]) {
        await world.forward(ms);
        await read();
      }
      const message = expect.stringMatching(
        /: The file of version 1\.0\.0 is not the one that was sent\. .* sent (?:a file that cannot be read|the file of another version)/,
      );
      expect(await alarms(author)).toMatchObject([{ version: '1.0.0', message }]);
    });

    it('does not repeat an alarm that was raised before', async () => {
      const author = await published();
      await author.dashboard({ servedChanges: { 'background.js': 'steal();' } });
      await read();
      await author.fault('download', { kind: 'status', status: 404, times: 2 });
      for (const ms of [DAY, HOUR, HOUR]) {
        await world.forward(ms);
        await read();
      }
      expect(await downloads(author.mine.itemId)).toBe(4);
      expect(await alarms(author)).toHaveLength(1);
    });
  });

  it.each([{}, { fileWatched: false }, { fileWatched: true, watched: false }])(
    'is not downloaded with %j, and at once when that is turned on',
    async (settings) => {
      const author = await newAuthor();
      if (Object.keys(settings).length > 0 && settings.fileWatched) await author.set(settings);
      await publish(author, '1.0.0');
      await readNextDay();
      expect([await said(author), await downloads(author.mine.itemId)]).toEqual([[], 0]);
      await author.set(settings.fileWatched ? { watched: true } : { fileWatched: true });
      await read();
      expect(await said(author)).toEqual([SAME]);
    },
  );

  it.each(['firefox', 'safari'])('cannot be watched at %s', async (store) => {
    const { mine } = await newAuthor();
    const path = `/extensions/${mine.extensionId}/targets/${await world.given.targetOf(mine, mine.extensionId, store)}`;
    const refused = expectStatus(await world.api.as(mine).patch(path, { fileWatched: true }), 400);
    expect(refused.body.errors).toEqual([
      { field: 'fileWatched', message: expect.stringMatching(/^Pierhead cannot read the files that .* serves\.$/) },
    ]);
  });

  it('is compared with the item that the target has now', async () => {
    const author = await published();
    await read();
    const { itemId } = await world.control.chromeItem({ publisherId: author.mine.publisherId, published: '1.0.0' });
    await author.set({ storeItemId: itemId });
    await author.reconcile();
    await read();
    expect(await downloads(itemId)).toBe(0);
    // Pierhead has sent this number, though to another item: what is served there is another's.
    expect(await alarms(author)).toEqual([]);
  });

  describe('while processes end or come in between', () => {
    const held = async (author: Author) => {
      const call = gate.hold(({ url = '' }) => url.startsWith(`/crx/${author.mine.itemId}`));
      const reading = read(other);
      await call.reached;
      return { reading, open: () => call.open() };
    };
    const tampered = async (): Promise<Author> => {
      const author = await published();
      await author.dashboard({ servedChanges: { 'background.js': 'steal();' } });
      return author;
    };

    it('is told once when the process that reads it is taken for dead', async () => {
      const author = await tampered();
      const { reading, open } = await held(author);
      await world.app
        .get(Transactions)
        .query('update listing_reading set lease_until = clock_timestamp() where target_id = $1', [
          author.mine.targetId,
        ]);
      await read();
      expect(await alarms(author)).toHaveLength(1);
      open();
      await reading;
      expect(await alarms(author)).toHaveLength(1);
    });

    it('is told once by two processes', async () => {
      const author = await tampered();
      await Promise.all([read(), read(other), read(), read(other)]);
      await world.forward(DAY);
      await Promise.all([read(), read(other)]);
      expect([await alarms(author), await downloads(author.mine.itemId)]).toEqual([[expect.anything()], 2]);
    });

    it('is read anew when a version goes live meanwhile', async () => {
      const author = await published();
      const { reading, open } = await held(author);
      await publish(author, '1.1.0');
      open();
      await reading;
      await read();
      expect(await said(author)).toEqual([SAME.replace('1.0.0', '1.1.0')]);
    });
  });

  describe('at Edge', () => {
    const onEdge = async () => {
      const edge = new EdgeControl(world.sandbox.url);
      const mine = await world.given.publishable();
      const account = await edge.edgeAccount();
      const { productId, crxId } = await edge.edgeProduct({ clientId: account.clientId });
      const api = world.api.as(mine);
      const { id } = expectStatus(await api.post('/credentials', { store: 'edge', credentials: account }), 201).body;
      const targetId = await world.given.targetOf(mine, mine.extensionId, 'edge');
      const settings = { storeItemId: productId, crxId, credentialId: id, enabled: true, fileWatched: true };
      expectStatus(await api.patch(`/extensions/${mine.extensionId}/targets/${targetId}`, settings), 200);
      const zip = new Uint8Array(await packageOf('1.0.0'));
      expectStatus(await api.push({ extension: mine.extensionId, version: '1.0.0', store: 'edge' }, zip), 201);
      const reconcile = async () => expectStatus(await api.post(`/extensions/${mine.extensionId}/reconcile`), 200);
      for (let round = 0; round < 4 && (await edge.product(productId)).review === null; round += 1) {
        await reconcile();
        await world.forward(HOUR);
      }
      await edge.actOnProduct(productId, 'approve');
      await world.forward(HOUR);
      await reconcile();
      const messages = async () =>
        (
          expectStatus(await api.get(`/extensions/${mine.extensionId}/events?limit=100`), 200).body.items as {
            kind: string;
            message: string;
          }[]
        )
          .toReversed()
          .filter(({ message }) => / file of/.test(message))
          .map(({ kind, message }) => `${kind} ${message}`);
      return { edge, productId, messages };
    };

    it('is compared too, and an alarm tells what Edge can do', async () => {
      const { edge, productId, messages } = await onEdge();
      await read();
      expect(await messages()).toEqual([
        'observed Microsoft Edge Add-ons: The file of version 1.0.0 is the one that was sent.',
      ]);
      await edge.patchProduct(productId, { servedChanges: { 'background.js': 'steal();' } });
      await readNextDay();
      await readNextDay();
      expect((await messages()).slice(1)).toEqual([
        expect.stringMatching(/^unexpected_version .*: changed background\.js\. .* push a higher version\.$/),
      ]);
    });
  });
});
