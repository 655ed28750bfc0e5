import { once } from 'node:events';
import { readdir, readlink } from 'node:fs/promises';
import { get } from 'node:http';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { SECOND } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { manifestOf, packageOf, zipOf } from '../support/packages.js';
import { Pusher, sha256Of } from './pusher.js';
import { BlobFiles, until } from './blob-files.js';

const NOBODYS = '01890000-0000-7000-8000-000000000000';

describe('what was pushed', () => {
  let world: World;
  let blobFiles: BlobFiles;
  beforeAll(async () => {
    world = await startWorld();
    blobFiles = new BlobFiles(world);
  });
  afterAll(() => world.close());

  it('is listed newest first, the 50 most recent', async () => {
    const pusher = await Pusher.in(world);
    const versions = Array.from({ length: 52 }, (_, index) => `1.${index}`);
    const first = await packageOf('1.0');
    for (const version of versions) {
      world.clock.forward(SECOND);
      expectStatus(await pusher.push(version, version === '1.0' ? first : await packageOf(version)), 201);
    }
    expect((await pusher.list()).map(({ version }) => version)).toEqual(versions.toReversed().slice(0, 50));

    world.clock.forward(SECOND);
    expectStatus(await pusher.push('1.0', first), 200);
    expect((await pusher.list()).slice(0, 2).map(({ version }) => version)).toEqual(['1.0', '1.51']);
  });

  it('is listed as nothing before the first push', async () => {
    expect(await (await Pusher.in(world)).list()).toEqual([]);
  });

  it('is retrieved one by one, as in the list', async () => {
    const pusher = await Pusher.in(world);
    const artifact = await pusher.pushed('1.0');
    expectStatus(await pusher.push('1.1', undefined, { store: 'safari' }), 201);
    for (const each of await pusher.list())
      expect((await world.api.as(pusher.mine).get(`/artifacts/${each.id}`)).body).toEqual(each);
    expect((await world.api.as(pusher.mine).get(`/artifacts/${artifact.id.toUpperCase()}`)).body).toEqual(artifact);
  });

  it('is downloaded as the same bytes', async () => {
    const pusher = await Pusher.in(world);
    const zip = await zipOf({ 'manifest.json': JSON.stringify(manifestOf('1.0')), data: randomBytes(300_000) });
    const { artifact } = expectStatus(await pusher.push('1.0', zip), 201).body;
    const { status, headers, bytes } = await pusher.download(artifact.id);
    expect([status, sha256Of(bytes)]).toEqual([200, sha256Of(zip)]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(zip.length),
      'content-disposition': 'attachment; filename="1.0.zip"',
      etag: `"${sha256Of(zip)}"`,
      'x-content-type-options': 'nosniff',
    });
  });

  it('cannot be downloaded where only a version was pinned', async () => {
    const pusher = await Pusher.in(world);
    const pin = expectStatus(await pusher.push('1.0', undefined, { store: 'safari' }), 201).body.artifact;
    const answer = await world.api.as(pusher.mine).get(`/artifacts/${pin.id}/download`);
    expect(answer).toMatchObject({ status: 404, body: { code: 'artifact_not_found' } });
  });

  it('is closed when a client disconnects during its download', async () => {
    const pusher = await Pusher.in(world);
    const filler = randomBytes(8_000_000);
    const zip = await zipOf({ 'manifest.json': JSON.stringify(manifestOf('1.0')), filler });
    const { artifact } = expectStatus(await pusher.push('1.0', zip), 201).body;
    const open = async (): Promise<readonly string[]> => {
      const names = await readdir('/proc/self/fd');
      const paths = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
      return paths.filter((path) => path.includes(artifact.sha256));
    };
    const call = get(`${world.url}/api/v1/artifacts/${artifact.id}/download`, {
      headers: { authorization: `Bearer ${pusher.mine.token}` },
    });
    const [response] = await once(call, 'response');
    await once(response, 'readable');
    expect(await open()).toHaveLength(1);
    call.destroy();
    await until('the file is closed', async () => (await open()).length === 0);
  });

  it.each([
    ['nobody’s', () => NOBODYS],
    ['no id', () => 'latest'],
    ['another tenant’s', (theirs: string) => theirs],
  ])('is not found by an id that is %s', async (_, choose) => {
    const theirs = await (await Pusher.in(world)).pushed('1.0');
    const { mine } = await Pusher.in(world);
    const absent = { status: 404, body: { code: 'artifact_not_found' } };
    const id = choose(theirs.id);
    expect(await world.api.as(mine).get(`/artifacts/${id}`)).toMatchObject(absent);
    expect(await world.api.as(mine).get(`/artifacts/${id}/download`)).toMatchObject(absent);
  });

  it('needs a token that may read extensions', async () => {
    const owner = await world.given.tenant();
    const { id } = await (await Pusher.in(world, owner)).pushed('1.0');
    const token = await world.given.token(owner, ['artifacts:write', 'licenses:write', 'analytics:read']);
    const lacking = { status: 403, body: { code: 'insufficient_scope' } };
    expect(await world.api.as({ token }).get(`/artifacts/${id}`)).toMatchObject(lacking);
    expect(await world.api.as({ token }).get(`/artifacts/${id}/download`)).toMatchObject(lacking);
    expectStatus(await world.api.get(`/artifacts/${id}`), 401);
    expectStatus(await world.api.get(`/artifacts/${id}/download`), 401);
  });

  describe('is deleted with its extension', () => {
    it('down to the bytes', async () => {
      const pusher = await Pusher.in(world);
      const one = await pusher.pushed('1.0', { name: 'The one' });
      const other = await pusher.pushed('1.1', { name: 'The other' });
      await pusher.deleteExtension();
      for (const { id, sha256 } of [one, other]) {
        await until('the bytes are gone', async () => (await blobFiles.blobs(sha256 ?? '')).length === 0);
        expect(await blobFiles.rows(sha256 ?? '')).toEqual([]);
        expectStatus(await world.api.as(pusher.mine).get(`/artifacts/${id}`), 404);
      }
      expect(await blobFiles.artifacts(pusher.extension)).toBe(0);
    });

    it('but not the bytes that another tenant pushed too', async () => {
      const [leaving, staying] = [await Pusher.in(world), await Pusher.in(world)];
      const shared = await packageOf('1.0', { name: 'Shared' });
      const own = await leaving.pushed('1.1', { name: 'Not shared' });
      expectStatus(await leaving.push('1.0', shared), 201);
      const { artifact } = expectStatus(await staying.push('1.0', shared), 201).body;
      await leaving.deleteExtension();
      await until('its own bytes are gone', async () => (await blobFiles.blobs(own.sha256 ?? '')).length === 0);
      expect((await staying.download(artifact.id)).bytes.equals(shared)).toBe(true);

      await staying.deleteExtension();
      await until('the last bytes are gone', async () => (await blobFiles.blobs(artifact.sha256)).length === 0);
      expect(await blobFiles.rows(artifact.sha256)).toEqual([]);
    });
  });
});
