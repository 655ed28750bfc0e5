import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeBackupStore, nameOf, type BackupStore } from './backup-store.js';

const NAME = nameOf(new Date('2026-11-22T03:00:00Z'), false);

describe('the folder of backups', () => {
  let folder: string;
  let store: BackupStore;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pierhead-backups-'));
    store = makeBackupStore({ backupTo: folder } as never, {} as never, {} as never);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('has nothing of a backup that fails, and what a killed one left only until the next', async () => {
    let partial = '';
    const failing = store.save(NAME, async (path) => {
      await writeFile(path, 'half');
      partial = path;
      throw new Error('No space left.');
    });
    await expect(failing).rejects.toThrow('No space left.');
    expect(await readdir(folder)).toEqual([]);

    const left = basename(partial).replace(`-${process.pid}-`, '-999999999-');
    await writeFile(join(folder, left), 'half');
    expect(await store.list()).toEqual([]);
    await store.save(NAME, (path) => writeFile(path, 'whole'));
    expect(await readdir(folder)).toEqual([NAME]);
  });
});
