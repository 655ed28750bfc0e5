import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { S3BlobStore } from './s3-blob-store.js';
import { isStorageAway } from './storage-away.js';

describe('a failure of the storage', () => {
  it.each<[string, object, boolean]>([
    ['a full disk', { code: 'ENOSPC' }, true],
    ['a full share of the disk', { code: 'EDQUOT' }, true],
    [
      'a full disk of the database',
      { driverError: Object.assign(new Error('could not extend file'), { code: '53100' }) },
      true,
    ],
    ['a bucket that fails', { $metadata: { httpStatusCode: 503 } }, true],
    ['a bucket that is silent', { name: 'TimeoutError' }, true],
    ['a bucket that refuses the key', { $metadata: { httpStatusCode: 403 } }, false],
    ['a file that is not there', { code: 'ENOENT' }, false],
  ])('may pass when it is %s: %j', (_, parts, passes) => {
    expect(isStorageAway(Object.assign(new Error('failed'), parts))).toBe(passes);
  });
});

describe('a bucket that takes connections and says nothing', () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket));
  let folder: string;
  let store: S3BlobStore;
  beforeAll(async () => {
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const keys = { accessKeyId: 'id', secretAccessKey: 'secret' };
    store = new S3BlobStore({ bucket: 'packages', region: 'us-east-1', endpoint, ...keys, silentMs: 20 });
    folder = await mkdtemp(join(tmpdir(), 'pierhead-silent-'));
    await writeFile(join(folder, 'package'), 'a package');
  });
  afterAll(async () => {
    silent.close();
    for (const socket of sockets) socket.destroy();
    await rm(folder, { recursive: true });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['stores', () => store.put(join(folder, 'package'), 'aa/one')],
    ['opens', () => store.open('aa/one')],
    ['lists', async () => store.list()[Symbol.asyncIterator]().next()],
    ['checks', () => store.check()],
  ])('counts as away for whoever %s something there', async (_, work) => {
    const failure = await work().catch((error: unknown) => error);
    expect(isStorageAway(failure)).toBe(true);
  });
});
