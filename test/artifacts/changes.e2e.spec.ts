import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { manifestOf, zipOf } from '../support/packages.js';
import { Pusher } from './pusher.js';

describe('what changed since an earlier version', () => {
  let world: World;
  beforeAll(async () => (world = await startWorld()));
  afterAll(() => world.close());

  const zip = (version: string, changes: object, files: Readonly<Record<string, string>>): Promise<Buffer> =>
    zipOf({ 'manifest.json': JSON.stringify(manifestOf(version, changes)), ...files });
  const changesOf = (pusher: Pusher, id: string, query = '') =>
    world.api.as(pusher.mine).get(`/artifacts/${id}/changes${query}`);
  const pushed = async (pusher: Pusher, version: string, content: Buffer, store = {}): Promise<string> =>
    expectStatus(await pusher.push(version, content, store), 201).body.artifact.id;

  it('is told of manifest, permissions, sites and files, compared with what is live', async () => {
    const pusher = await Pusher.onChrome(world, { published: '1.0.0' });
    const live = await pushed(pusher, '1.0.0', await zip('1.0.0', {}, { 'a.js': 'a', 'b.js': 'b', 'c.js': 'c' }));
    // What the store shows is known after a check.
    expectStatus(await world.api.as(pusher.mine).post(`/extensions/${pusher.extension}/reconcile`), 200);
    const asked = { permissions: ['storage', 'tabs'], host_permissions: ['https://example.com/*'] };
    await pushed(pusher, '1.1.0', await zip('1.1.0', {}, { 'a.js': 'a' }));
    const id = await pushed(pusher, '1.2.0', await zip('1.2.0', asked, { 'a.js': 'a', 'b.js': 'bb', 'd.js': '' }));
    const answer = expectStatus(await changesOf(pusher, id), 200).body;
    expect(answer).toMatchObject({
      artifactId: id,
      version: '1.2.0',
      since: { artifactId: live, version: '1.0.0' },
      changes: {
        permissions: { added: ['tabs'], removed: [] },
        hosts: { added: ['https://example.com/*'], removed: [] },
        warnings: ['Read your browsing history', 'Access to "https://example.com/*"'],
        manifest: { changed: 1, items: [{ key: 'version', before: '"1.0.0"', after: '"1.2.0"' }] },
        files: {
          added: 1,
          removed: 1,
          items: expect.arrayContaining([
            { path: 'b.js', before: 1, after: 2 },
            { path: 'c.js', before: 1, after: null },
            { path: 'd.js', before: null, after: 0 },
          ]),
        },
      },
    });
    const targets = expectStatus(await world.api.as(pusher.mine).get(`/extensions/${pusher.extension}/targets`), 200);
    const at = (store: string): string =>
      targets.body.targets.find((one: { readonly store: string }) => one.store === store).id;
    expect((await changesOf(pusher, id, `?target=${at('chrome')}`)).body).toEqual(answer);
    expect((await changesOf(pusher, id, `?target=${at('edge')}`)).body).toMatchObject({ since: null, changes: null });
    expect((await changesOf(pusher, live)).body).toMatchObject({ since: null, changes: null });
  });

  it('is told of the live version, whose number the store may write with fewer zeros', async () => {
    const pusher = await Pusher.onChrome(world, { published: '1.0' });
    const live = await pushed(pusher, '1.0.0', await zip('1.0.0', {}, { 'a.js': 'a' }));
    expectStatus(await world.api.as(pusher.mine).post(`/extensions/${pusher.extension}/reconcile`), 200);
    const id = await pushed(pusher, '1.1.0', await zip('1.1.0', {}, { 'a.js': 'aa' }));
    expect((await changesOf(pusher, id)).body).toMatchObject({
      since: { artifactId: live, version: '1.0.0' },
      changes: { files: { changed: 2 } },
    });
  });

  it('is told of the version that was pushed before, where none below is live', async () => {
    const pusher = await Pusher.onChrome(world, { published: '1.2.0' });
    await pushed(pusher, '1.0.0', await zip('1.0.0', {}, { 'a.js': 'a' }));
    const before = await pushed(pusher, '1.1.0', await zip('1.1.0', {}, { 'a.js': 'aa' }));
    const atEdge = await pushed(pusher, '1.1.0', await zip('1.1.0', {}, { 'b.js': 'b' }), { store: 'edge' });
    const id = await pushed(pusher, '1.2.0', await zip('1.2.0', {}, { 'a.js': 'aaa' }));
    expectStatus(await world.api.as(pusher.mine).post(`/extensions/${pusher.extension}/reconcile`), 200);
    expect((await changesOf(pusher, id)).body).toMatchObject({
      since: { artifactId: before, version: '1.1.0' },
      changes: { files: { added: 0, changed: 2 } },
    });
    const next = await pushed(pusher, '1.2.0', await zip('1.2.0', {}, { 'b.js': 'bb' }), { store: 'edge' });
    expect((await changesOf(pusher, next)).body).toMatchObject({ since: { artifactId: atEdge, version: '1.1.0' } });
  });

  it('is told of any two versions, also of those that a store alone gets', async () => {
    const pusher = await Pusher.in(world);
    const first = await pushed(pusher, '1.0.0', await zip('1.0.0', {}, { 'a.js': 'a' }));
    const second = await pushed(pusher, '1.1.0', await zip('1.1.0', {}, { 'b.js': 'b' }), { store: 'edge' });
    expect((await changesOf(pusher, second, `?since=${first}`)).body).toMatchObject({
      since: { artifactId: first },
      changes: { files: { added: 1, removed: 1 } },
    });
    expect((await changesOf(pusher, first, `?since=${first}`)).body.changes.files.items).toEqual([]);
  });

  it('is unknown of a version without a package', async () => {
    const pusher = await Pusher.in(world);
    const first = (await pusher.pushed('1.0.0')).id;
    const { artifact } = expectStatus(await pusher.push('1.1.0', undefined, { store: 'safari' }), 201).body;
    expect((await changesOf(pusher, artifact.id, `?since=${first}`)).body).toMatchObject({
      since: { artifactId: first, version: '1.0.0' },
      changes: null,
    });
  });

  it('is told of nobody else’s, and of one extension only', async () => {
    const [pusher, other] = [await Pusher.in(world), await Pusher.in(world)];
    const [mine, theirs] = [(await pusher.pushed('1.0.0')).id, (await other.pushed('1.0.0')).id];
    const sister = new Pusher(world, {
      token: pusher.mine.token,
      extensionId: await world.given.extension(pusher.mine),
    });
    const refused = { status: 404, body: { code: 'artifact_not_found' } };
    expect(await changesOf(pusher, theirs)).toMatchObject(refused);
    expect(await changesOf(pusher, mine, `?since=${theirs}`)).toMatchObject(refused);
    expect(await changesOf(pusher, mine, `?since=${(await sister.pushed('1.0.0')).id}`)).toMatchObject({
      status: 400,
      body: {
        code: 'invalid_request',
        errors: [{ field: 'since', message: 'must be an artifact of the same extension.' }],
      },
    });
    expect(await changesOf(pusher, mine, `?target=${mine}`)).toMatchObject({ body: { code: 'target_not_found' } });
  });
});
