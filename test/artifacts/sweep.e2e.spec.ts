import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/common/fields/ids.js';
import { startWorld, type World, DataSource, PackagesService } from '../support/app.js';
import { HOUR, MINUTE } from '../support/clock.js';
import { Pusher, sha256Of } from './pusher.js';
import { BlobFiles } from './blob-files.js';

const LIMIT = 6 * HOUR;

describe('the sweep after crashes', () => {
  let world: World;
  let blobFiles: BlobFiles;
  beforeAll(async () => {
    world = await startWorld();
    blobFiles = new BlobFiles(world);
  });
  afterAll(() => world.close());

  const sweep = () => world.app.get(PackagesService).sweep();

  /** Puts a file where a process that was killed would have left it, so long ago. */
  async function abandoned(folder: string, name: string, age: number): Promise<string> {
    const path = join(world.dataDir, folder, name);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, name);
    const then = new Date(world.clock.now().getTime() - age);
    await utimes(path, then, then);
    return name.split('/').at(-1) ?? '';
  }

  const keyOf = (sha256: string): string => `${sha256.slice(0, 2)}/${sha256}.${newId()}`;

  it('removes files that no upload can still be writing, and leaves the others', async () => {
    const old = await abandoned('uploads', newId(), LIMIT + MINUTE);
    const young = await abandoned('uploads', newId(), LIMIT - MINUTE);
    await sweep();
    expect(await blobFiles.uploads()).toContain(young);
    expect(await blobFiles.uploads()).not.toContain(old);
  });

  it('removes stored files that the database does not know, once no push can still record them', async () => {
    const old = await abandoned('blobs', keyOf(sha256Of(Buffer.from('old'))), LIMIT + MINUTE);
    const young = await abandoned('blobs', keyOf(sha256Of(Buffer.from('young'))), LIMIT - MINUTE);
    await sweep();
    expect(await blobFiles.blobs()).toContain(young);
    expect(await blobFiles.blobs()).not.toContain(old);
  });

  it('removes what the database knows and no artifact refers to, with its file', async () => {
    const sha256 = sha256Of(Buffer.from('an orphan'));
    const key = keyOf(sha256);
    await abandoned('blobs', key, MINUTE);
    await world.app
      .get(DataSource)
      .query('insert into blob (id, sha256, key) values ($1, $2, $3)', [newId(), sha256, key]);
    await sweep();
    expect(await blobFiles.rows(sha256)).toEqual([]);
    expect(await blobFiles.blobs(sha256)).toEqual([]);
  });

  it('never touches a package that was pushed, however old', async () => {
    const pusher = await Pusher.in(world);
    const artifact = await pusher.pushed('1.0');
    world.clock.forward(400 * 24 * HOUR);
    await sweep();
    const { bytes } = await pusher.download(artifact.id);
    expect(sha256Of(bytes)).toBe(artifact.sha256);
  });

  it('runs at each start', async () => {
    const old = await abandoned('uploads', newId(), LIMIT + MINUTE);
    const again = await startWorld({ with: world });
    expect(await blobFiles.uploads()).not.toContain(old);
    await again.close();
  });

  it('leaves foreign files alone, and removes the rest', async () => {
    const theirs = await abandoned('blobs', 'ff/.nfs0001', LIMIT + MINUTE);
    const readme = await abandoned('blobs', 'README', LIMIT + MINUTE);
    const old = await abandoned('blobs', keyOf(sha256Of(Buffer.from('older'))), LIMIT + MINUTE);
    await sweep();
    expect(await blobFiles.blobs()).toEqual(expect.arrayContaining([theirs, readme]));
    expect(await blobFiles.blobs()).not.toContain(old);
  });
});
