import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { preparePackage } from '../../clients/cli/src/package/prepared.js';
import type { Answer } from '../support/api.js';
import { startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { manifestOf, packageOf, zipOf } from '../support/packages.js';
import { Pusher, sha256Of } from './pusher.js';

describe('the check of a package', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  const check = async (
    { mine, extension }: Pusher,
    version: string,
    changes: object = {},
    also: Record<string, string> = {},
  ): Promise<Answer> => {
    const zip = await packageOf(version, changes);
    const body = { manifest: manifestOf(version, changes), size: zip.length, sha256: sha256Of(zip) };
    return world.api.as(mine).post(`/artifacts/check?${new URLSearchParams({ extension, ...also }).toString()}`, body);
  };

  it('reports the warnings of a push by kind, and pins nothing', async () => {
    const pusher = await Pusher.onChrome(world, { published: '1.0.0' });
    await pusher.pushed('1.0.0');
    await pusher.reconcile();
    const wider = {
      manifest_version: 2,
      background: { scripts: ['background.js'] },
      permissions: ['storage', 'tabs'],
    };
    const { warnings } = expectStatus(await check(pusher, '1.1.0', wider), 200).body;
    expect(warnings.map(({ kind }: { readonly kind: string }) => kind)).toEqual(['refused', 'wider_access']);
    expect((await pusher.list()).map(({ version }) => version)).toEqual(['1.0.0']);
    const pushed = expectStatus(await pusher.push('1.1.0', await packageOf('1.1.0', wider)), 201);
    expect(pushed.body.warning).toBe(warnings.map(({ message }: { readonly message: string }) => message).join(' '));
  });

  it('reports whether the same content was pushed before, for all stores or for one', async () => {
    const pusher = await Pusher.onChrome(world);
    expect((await check(pusher, '1.0.0')).body).toEqual({
      version: '1.0.0',
      deduplicated: false,
      warnings: [],
      findings: [],
      decisions: [],
      access: [],
    });
    await pusher.pushed('1.0.0');
    expect((await check(pusher, '1.0.0')).body).toMatchObject({ deduplicated: true });
    expect((await check(pusher, '1.0.0', {}, { store: 'chrome' })).body).toMatchObject({ deduplicated: false });
    expect((await check(pusher, '1.0.0', { name: 'Other' })).body).toMatchObject({ deduplicated: false });
    expect((await check(pusher, '1.0')).body).toMatchObject({ version: '1.0.0', deduplicated: false });
  });

  it('recognizes the same content that was packed at another time, by what the command line says of it', async () => {
    const pusher = await Pusher.onChrome(world);
    const files = {
      'manifest.json': JSON.stringify(manifestOf('1.0.0')),
      'background.js': 'void 0;',
      'large.txt': 'owl '.repeat(50_000),
    };
    const [first, again] = [await zipOf(files), await zipOf(files, new Date(2027, 0))];
    expect(sha256Of(again)).not.toBe(sha256Of(first));
    expectStatus(await pusher.push('1.0.0', first), 201);
    await pusher.reconcile();
    const folder = await mkdtemp(join(tmpdir(), 'pierhead-test-'));
    await writeFile(join(folder, 'again.zip'), again);
    const { contentSha256, ...prepared } = await preparePackage(join(folder, 'again.zip'));
    await rm(folder, { recursive: true });
    const ask = (also: object): Promise<Answer> =>
      world.api.as(pusher.mine).post(`/artifacts/check?extension=${pusher.extension}`, {
        manifest: manifestOf('1.0.0'),
        size: prepared.size,
        sha256: prepared.sha256,
        ...also,
      });
    expect((await ask({})).status).toBe(409);
    expect(expectStatus(await ask({ contentSha256 }), 200).body).toMatchObject({ deduplicated: true });
    const { body } = expectStatus(await pusher.push('1.0.0', again), 200);
    expect(body).toMatchObject({ deduplicated: true, artifact: { sha256: sha256Of(first) } });
    expectStatus(await pusher.push('1.0.0', again, { store: 'chrome' }), 201);
    await pusher.reconcile();
    const other = await zipOf({ ...files, 'large.txt': 'Owl '.repeat(50_000) });
    expect((await pusher.push('1.0.0', other)).status).toBe(409);
  });

  it('says what the first users have to accept, before any version is live', async () => {
    const pusher = await Pusher.onChrome(world);
    const asked = { permissions: ['storage', 'tabs'], host_permissions: ['https://a.example/*'] };
    expect((await check(pusher, '1.0.0', asked)).body).toMatchObject({
      warnings: [],
      access: ['Read your browsing history', 'Access to "https://a.example/*"'],
    });
  });

  it.each<[string, string, object, Record<string, string>]>([
    ['another content of a version that a store has', '1.1.0', { name: 'Other' }, {}],
    ['another content for one store that has the version', '1.1.0', { name: 'Other' }, { store: 'chrome' }],
    ['an older version than the live one', '0.9.0', {}, {}],
    ['a number that the store refuses', '70000', {}, {}],
    ['a manifest that browsers refuse', '1.2.0', { permissions: 'tabs' }, {}],
  ])('is refused as the push is: %s', async (_case, version, changes, also) => {
    const pusher = await Pusher.onChrome(world, { published: '1.0.0' });
    await pusher.pushed('1.1.0');
    await pusher.reconcile();
    const checked = await check(pusher, version, changes, also);
    const pushed = await pusher.push(version, await packageOf(version, changes), also);
    expect(checked.status).toBeGreaterThanOrEqual(400);
    const problem = ({ body: { code, detail } }: Answer): object => ({ code, detail });
    expect(problem(checked)).toEqual(problem(pushed));
  });
});
