import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEnvironment } from '../../common/config/index.js';
import { dropPath, holdPath } from '../../common/system/index.js';
import { restoreBackup } from './restore-backup.js';

describe('an identity file', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pierhead-identity-'));
    for (const name of ['backup.zip.age', 'empty.txt']) await writeFile(join(folder, name), '# nothing\n');
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each([
    ['is missing', 'missing.txt', 'missing.txt cannot be read.'],
    ['has no key', 'empty.txt', 'empty.txt has no age private key'],
  ])('that %s stops the restore with a sentence', async (_, name, sentence) => {
    const dataDir = join(folder, 'data');
    const request = {
      backup: join(folder, 'backup.zip.age'),
      isCheck: true,
      identityFile: join(folder, name),
      acceptUnauthenticated: false,
    };
    await expect(restoreBackup(readEnvironment({ DATA_DIR: dataDir }), request)).rejects.toMatchObject({
      name: 'BackupFault',
      message: expect.stringContaining(sentence),
    });
    expect(await readdir(dataDir, { recursive: true })).toEqual(['uploads']);
  });
});

describe('a restore', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pierhead-restore-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('first removes what one that was killed has decrypted, and takes no folder for a backup', async () => {
    const own = holdPath(join(folder, 'uploads', 'one'));
    const abandoned = own.replace(`-${process.pid}-`, '-999999999-');
    for (const path of [own, abandoned]) await mkdir(join(path, 'tables'), { recursive: true });
    const request = { backup: folder, isCheck: true, identityFile: undefined, acceptUnauthenticated: false };
    await expect(restoreBackup(readEnvironment({ DATA_DIR: folder }), request)).rejects.toMatchObject({
      name: 'BackupFault',
      message: `${folder} is a folder. Name the file of a backup, or a backup that BACKUP_TO holds.`,
    });
    expect(await readdir(join(folder, 'uploads'))).toEqual([basename(own)]);
    await dropPath(own);
  });
});
