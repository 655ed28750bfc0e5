import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World, PackagesService } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { objectStoreEnv, startObjectStore, type ObjectStore } from '../support/object-store.js';
import { manifestOf, packageOf, zipOf } from '../support/packages.js';

const MEGABYTE = 1024 * 1024;

describe('packages in a bucket', () => {
  let bucket: ObjectStore;
  let world: World;
  beforeAll(async () => {
    bucket = await startObjectStore();
    world = await startWorld({ env: objectStoreEnv(bucket) });
  });
  afterAll(async () => {
    await world.close();
    await bucket.close();
  });

  it.each([
    ['small', 100],
    ['of several parts', 12 * MEGABYTE],
  ])('stores a package that is %s, and serves it again', async (_, filler) => {
    const mine = await world.given.tenant();
    const extension = await world.given.extension(mine);
    const zip = await zipOf({ 'manifest.json': JSON.stringify(manifestOf('1.0')), 'data.bin': randomBytes(filler) });
    const pushed = await world.api.as(mine).push({ extension, version: '1.0' }, new Uint8Array(zip));
    const { id, sha256 } = expectStatus(pushed, 201).body.artifact;

    expect(bucket.objects.get([...bucket.objects.keys()].find((key) => key.includes(sha256)) ?? '')?.equals(zip)).toBe(
      true,
    );
    const answer = await fetch(`${world.url}/api/v1/artifacts/${id}/download`, {
      headers: { authorization: `Bearer ${mine.token}` },
    });
    expect(Buffer.from(await answer.arrayBuffer()).equals(zip)).toBe(true);
    expect(await readdir(join(world.dataDir, 'uploads'))).toEqual([]);
  });

  it('restores one whose object was lost when the same content is pushed again', async () => {
    const mine = await world.given.tenant();
    const extension = await world.given.extension(mine);
    const zip = new Uint8Array(await packageOf('1.0', { name: 'Lost' }));
    const push = () => world.api.as(mine).push({ extension, version: '1.0' }, zip);
    const { sha256 } = expectStatus(await push(), 201).body.artifact;
    const keys = () => [...bucket.objects.keys()].filter((key) => key.includes(sha256));
    const before = keys();
    expect(expectStatus(await push(), 200).body.deduplicated).toBe(true);
    expect(keys()).toEqual(before);
    bucket.objects.delete(before[0] ?? '');
    expect(expectStatus(await push(), 200).body.deduplicated).toBe(true);
    expect(keys()).toHaveLength(1);
    expect(keys()).not.toEqual(before);
  });

  it('answers 503 while the bucket fails, and logs the failure and the recovery once each', async () => {
    const mine = await world.given.tenant();
    const extension = await world.given.extension(mine);
    const zip = new Uint8Array(await packageOf('1.0', { name: 'Again' }));
    const push = () => world.api.as(mine).push({ extension, version: '1.0' }, zip);
    const ready = async () => (await world.api.get('//health/ready')).status;
    const loggedMessages = () =>
      world.log
        .map((line) => JSON.parse(line) as { readonly msg: string; readonly check?: string })
        .filter(({ check }) => check === 'blobs')
        .map(({ msg }) => msg);
    bucket.fail(true);
    try {
      const refused = expectStatus(await push(), 503);
      expect(refused.body.code).toBe('overloaded');
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
      expect([await ready(), await ready(), loggedMessages()]).toEqual([503, 503, ['check failed']]);
    } finally {
      bucket.fail(false);
    }
    expect([await ready(), loggedMessages()]).toEqual([200, ['check failed', 'check succeeds again']]);
    expectStatus(await push(), 201);
  });

  it('starts although the bucket is silent', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const sockets: Socket[] = [];
    silent.on('connection', (socket) => sockets.push(socket));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const other = await startWorld({ env: objectStoreEnv({ ...bucket, url }) });
    expect((await other.api.get('//health/live')).status).toBe(200);
    expect(sockets).not.toHaveLength(0);
    silent.close();
    for (const socket of sockets) socket.destroy();
    await other.close();
  });

  it('publishes from the bucket, reports ready, and deletes what nothing refers to', async () => {
    const mine = await world.given.publishable();
    await world.given.pinned(mine, '2.0');
    const { body } = await world.api.as(mine).post(`/extensions/${mine.extensionId}/reconcile`);
    expect(body.targets[0].phase).toBe('in_review');
    expect((await world.api.get('//health/ready')).status).toBe(200);

    const sha256 = (await world.api.as(mine).get(`/artifacts?extension=${mine.extensionId}`)).body.artifacts[0].sha256;
    bucket.objects.set(`aa/${'a'.repeat(64)}.stray`, await packageOf('9.9'));
    expectStatus(await world.api.as(mine).delete(`/extensions/${mine.extensionId}`), 204);
    await world.app.get(PackagesService).sweep();
    expect([...bucket.objects.keys()].filter((key) => key.includes(sha256) || key.endsWith('stray'))).toEqual([]);
  });
});
