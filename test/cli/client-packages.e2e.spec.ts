import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { objectStoreEnv, startObjectStore } from '../support/object-store.js';

const NAMES = ['pierhead', '@pierhead/licensing', '@pierhead/action'];
const BUILT = new URL('../../clients/dist/', import.meta.url);
const MINUTE_MS = 60_000;

interface Listed {
  readonly name: string;
  readonly version: string;
  readonly url: string;
  readonly size: number;
  readonly integrity: string;
  readonly isCurrent: boolean;
}

const digest = (content: string | Buffer): Buffer => createHash('sha512').update(content).digest();
const keyOf = (file: string, content: string | Buffer): string =>
  `${file}.${Buffer.byteLength(content)}.${digest(content).toString('hex')}`;
const listOf = async (world: World): Promise<readonly Listed[]> => (await world.api.get('//clients/')).body.items;
const fileOf = ({ url }: Listed): string => url.slice(url.lastIndexOf('/') + 1);
const download = async (world: World, file: string): Promise<Buffer> =>
  Buffer.from(await (await fetch(`${world.url}/clients/${file}`)).arrayBuffer());
const redirect = async (world: World): Promise<Response> =>
  fetch(`${world.url}/cli/pierhead.tgz`, { redirect: 'manual' });

describe('the clients that a service gives away', () => {
  let world: World;
  let version: string;
  /** The program of the command line, as it is packed. */
  let built: Buffer;
  beforeAll(async () => {
    world = await startWorld({ env: { PUBLIC_URL: 'https://pierhead.example/base' } });
    const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
    ({ version } = JSON.parse(manifest) as { readonly version: string });
    built = await readFile(new URL(`pierhead-${version}.tgz`, BUILT));
  });
  afterAll(() => world.close());

  const folder = (): string => join(world.dataDir, 'blobs/clients');
  /** Leaves a package in the store as an earlier version of the service would have done. */
  const store = async (file: string, content: string, at: Date): Promise<void> => {
    const path = join(folder(), keyOf(file, content));
    await mkdir(folder(), { recursive: true });
    await writeFile(path, content);
    await utimes(path, at, at);
  };
  /** What a service finds and keeps that starts on the same store. */
  const restarted = async (look: (next: World) => Promise<void>): Promise<void> => {
    const next = await startWorld({ with: world, env: { PUBLIC_URL: 'https://pierhead.example' } });
    try {
      await look(next);
    } finally {
      await next.close();
    }
  };

  it('are listed with version, size and digest, each at an address that names its version', async () => {
    const items = await listOf(world);
    expect(items.map(({ name }) => name)).toEqual(NAMES);
    for (const item of items) {
      const file = `${item.name.replace('@', '').replace('/', '-')}-${version}.tgz`;
      expect(item).toMatchObject({ version, isCurrent: true, url: `https://pierhead.example/base/clients/${file}` });
      const content = await download(world, file);
      expect(content.equals(await readFile(new URL(file, BUILT)))).toBe(true);
      expect(item).toMatchObject({
        size: content.length,
        integrity: `sha512-${digest(content).toString('base64')}`,
      });
      expect(await readdir(folder())).toContain(keyOf(file, content));
    }
  });

  it('may be kept for ever by who has asked for one, but not where there is none', async () => {
    const { headers } = await world.api.get(`//clients/pierhead-${version}.tgz`);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('content-type')).toBe('application/gzip');
    for (const file of ['pierhead-9.9.9.tgz', 'none', '..%2F..%2Fcode-peppers', `pierhead-${version}.tgz.1`]) {
      const refused = await world.api.get(`//clients/${file}`);
      expect(refused).toMatchObject({ status: 404, body: { code: 'client_package_not_found' } });
      expect(refused.headers.get('cache-control')).toBeNull();
    }
  });

  it('are found by the address of earlier versions, which leads to that of this one', async () => {
    const { status, headers } = await redirect(world);
    expect({ status, to: headers.get('location'), kept: headers.get('cache-control') }).toEqual({
      status: 302,
      to: `../clients/pierhead-${version}.tgz`,
      kept: 'no-cache',
    });
  });

  it('keep the address of the content that was first packed as a version', async () => {
    await rm(folder(), { recursive: true });
    const first = 'what was packed before';
    await store(`pierhead-${version}.tgz`, first, new Date(Date.now() - MINUTE_MS));
    await restarted(async (next) => {
      const packed = `${version}+${digest(built).toString('hex').slice(0, 12)}`;
      const items = (await listOf(next)).filter(({ name }) => name === 'pierhead');
      expect(items.map((item) => [item.version, item.isCurrent, fileOf(item)])).toEqual([
        [packed, true, `pierhead-${packed}.tgz`],
        [version, false, `pierhead-${version}.tgz`],
      ]);
      expect((await download(next, `pierhead-${version}.tgz`)).toString()).toBe(first);
      expect((await download(next, `pierhead-${packed}.tgz`)).equals(built)).toBe(true);
      expect((await redirect(next)).headers.get('location')).toBe(`../clients/pierhead-${packed}.tgz`);
    });
  });

  it('stay for ten versions, and this one for longer', async () => {
    await rm(folder(), { recursive: true });
    const past = Array.from({ length: 12 }, (_, at) => `0.0.${at}`);
    // Those of the action as after a step back: they were stored after this version.
    for (const [at, old] of past.entries()) {
      const then = new Date(Date.now() - MINUTE_MS * (past.length - at));
      await store(`pierhead-licensing-${old}.tgz`, old, then);
      await store(`pierhead-action-${old}.tgz`, old, new Date(Date.now() + MINUTE_MS * (at + 1)));
    }
    await restarted(async (next) => {
      const versions = async (name: string): Promise<readonly string[]> =>
        (await listOf(next)).filter((item) => item.name === name).map((item) => item.version);
      expect(await versions('@pierhead/licensing')).toEqual([version, ...past.slice(3).toReversed()]);
      expect(await versions('@pierhead/action')).toEqual([...past.slice(2).toReversed(), version]);
      expect((await download(next, 'pierhead-licensing-0.0.3.tgz')).toString()).toBe('0.0.3');
      expect(await next.api.get('//clients/pierhead-licensing-0.0.2.tgz')).toMatchObject({ status: 404 });
    });
  });

  it('are stored once by services that start at the same time', async () => {
    await rm(folder(), { recursive: true });
    await Promise.all([1, 2].map(() => restarted(async (next) => expect(await listOf(next)).toHaveLength(3))));
    expect(await readdir(folder())).toHaveLength(3);
    expect(await readdir(join(world.dataDir, 'uploads'))).toEqual([]);
  });

  it('are kept in the bucket, where there is one', async () => {
    const bucket = await startObjectStore();
    bucket.objects.set(`clients/${keyOf('pierhead-0.0.1.tgz', 'old')}`, Buffer.from('old'));
    const other = await startWorld({ env: objectStoreEnv(bucket) });
    try {
      expect((await listOf(other)).map(({ name, version: of }) => [name, of])).toEqual([
        ['pierhead', expect.anything()],
        ['pierhead', expect.anything()],
        ['@pierhead/licensing', version],
        ['@pierhead/action', version],
      ]);
      expect((await download(other, 'pierhead-0.0.1.tgz')).toString()).toBe('old');
      expect([...bucket.objects.keys()].filter((key) => key.startsWith('clients/'))).toHaveLength(4);
    } finally {
      await other.close();
      await bucket.close();
    }
  });

  it('do not keep a service from starting whose bucket fails, which serves them afterwards', async () => {
    const bucket = await startObjectStore();
    bucket.fail(true);
    const other = await startWorld({ env: objectStoreEnv(bucket) });
    try {
      expect(await other.api.get('//clients/')).toMatchObject({ status: 503, body: { code: 'overloaded' } });
      bucket.fail(false);
      await expect.poll(async () => (await other.api.get('//clients/')).status, { timeout: 10_000 }).toBe(200);
      expect(await listOf(other)).toHaveLength(3);
    } finally {
      await other.close();
      await bucket.close();
    }
  });
});
