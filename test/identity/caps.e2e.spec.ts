import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Pusher } from '../artifacts/pusher.js';
import { BlobFiles, until } from '../artifacts/blob-files.js';
import { SlowPush } from '../artifacts/slow-push.js';
import type { Answer } from '../support/api.js';
import { startWorld, type World } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { manifestOf, packageOf, zipOf } from '../support/packages.js';

const CAPS = {
  MAX_TARGETS_PER_EXTENSION: '6',
  MAX_PLANS_PER_EXTENSION: '3',
  MAX_ACCESS_TOKENS: '4',
  MAX_UPLOADS_AT_ONCE: '2',
  MAX_STORED_BYTES: '100000',
};

describe('the limits of a tenant', () => {
  let world: World;
  let other: World;
  beforeAll(async () => {
    world = await startWorld({ env: CAPS });
    other = await startWorld({ with: world, env: CAPS });
  });
  afterAll(async () => {
    await other.close();
    await world.close();
  });

  /** Asks both processes at once, eight times, and once more. @returns how many were served, and the last answer */
  const flood = async (
    ask: (at: World) => Promise<Answer>,
  ): Promise<{ readonly served: number; readonly last: Answer }> => {
    const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => ask(at % 2 === 0 ? world : other)));
    return { served: answers.filter(({ status }) => status === 201).length, last: await ask(world) };
  };
  const refused = (code: string, limit: number): object => ({ status: 403, body: { code, limit } });

  it('hold for the targets of an extension, under simultaneous additions', async () => {
    const tenant = await world.given.tenant();
    const id = await world.given.extension(tenant);
    const path = `/extensions/${id}/targets`;
    const { served, last } = await flood((at) => at.api.as(tenant).post(path, { store: 'chrome' }));
    expect(served).toBe(6 - 4);
    expect(last).toMatchObject(refused('target_limit_reached', 6));
    const { targets } = (await world.api.as(tenant).get(path)).body;
    expect(targets).toHaveLength(6);
    expectStatus(await world.api.as(tenant).delete(`${path}/${targets[0].id}`), 204);
    expectStatus(await world.api.as(tenant).post(path, { store: 'chrome' }), 201);
  });

  it('hold for the plans of an extension, under simultaneous additions', async () => {
    const tenant = await world.given.tenant();
    const extensionId = await world.given.extension(tenant);
    const plan = (at: World): Promise<Answer> =>
      at.api.as(tenant).post('/plans', { extensionId, tier: randomBytes(8).toString('hex') });
    const { served, last } = await flood(plan);
    expect(served).toBe(3);
    expect(last).toMatchObject(refused('license_plan_limit_reached', 3));
    await world.given.plan(tenant, await world.given.extension(tenant));
  });

  it('hold for valid access tokens, under simultaneous additions', async () => {
    const tenant: Tenant = await world.given.tenant();
    const session = { cookie: tenant.cookie };
    const token = (at: World): Promise<Answer> =>
      at.api.as(session).post('/access-tokens', { name: 'CI', scopes: ['*'], expiresInDays: 1 });
    const { served, last } = await flood(token);
    expect(served).toBe(4 - 1);
    expect(last).toMatchObject(refused('access_token_limit_reached', 4));
    expectStatus(await world.api.as(session).post('/auth/token'), 200);
    await world.forward(DAY);
    expectStatus(await token(world), 201);
  });

  it('hold for stored bytes, under simultaneous pushes to several processes', async () => {
    const pusher = await Pusher.in(world);
    const elsewhere = new Pusher(other, pusher.mine);
    const big = (version: string): Promise<Buffer> =>
      zipOf({ 'manifest.json': JSON.stringify(manifestOf(version)), noise: randomBytes(40_000) });
    const versions = ['1.0', '1.1', '1.2', '1.3'];
    const zips = await Promise.all(versions.map(big));
    const answers = await Promise.all(
      versions.map((version, at) => (at % 2 === 0 ? pusher : elsewhere).push(version, zips[at])),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    for (const answer of answers)
      if (answer.status !== 201) expect(answer).toMatchObject(refused('storage_limit_reached', 100_000));
    const kept = answers.findIndex(({ status }) => status === 201);
    // What is there already needs no room.
    expectStatus(await pusher.push(versions[kept] ?? '', zips[kept]), 200);
    const sources = `/artifacts/${answers[kept]?.body.artifact.id}/source`;
    const zip = await big('2.0');
    const attached = { raw: new Uint8Array(zip), headers: { 'content-type': 'application/zip' } };
    expect(await world.api.as(pusher.mine).post(sources, undefined, attached)).toMatchObject(
      refused('storage_limit_reached', 100_000),
    );
    expectStatus(await (await Pusher.in(world)).push('2.0', zip), 201);
    await pusher.deleteExtension();
    const next = new Pusher(world, { ...pusher.mine, extensionId: await world.given.extension(pusher.mine) });
    expectStatus(await next.push('2.0', zip), 201);
  });

  it('hold for simultaneous uploads, without limiting other tenants', async () => {
    const [pusher, beside] = [await Pusher.in(world), await Pusher.in(world)];
    const zip = new Uint8Array(await packageOf('1.0'));
    const blobFiles = new BlobFiles(world);
    const slow = [SlowPush.begin(world, pusher, '1.0'), SlowPush.begin(world, pusher, '1.0')];
    for (const each of slow) await each.send(zip.subarray(0, 10));
    await until('both are being received', async () => (await blobFiles.uploads()).length === 2);
    const answer = await pusher.push('1.0', zip);
    expect(answer).toMatchObject({ status: 429, body: { code: 'too_many_uploads', limit: 2 } });
    expect(answer.headers.get('retry-after')).toBe('5');
    expectStatus(await beside.push('1.0', zip), 201);
    await slow[0]?.disconnect();
    await until('one is given up', async () => (await blobFiles.uploads()).length === 1);
    expectStatus(await pusher.push('1.0', zip), 201);
    slow[1]?.end(zip.subarray(10));
    expect(await slow[1]?.answer()).toMatchObject({ status: 200 });
  });
});
