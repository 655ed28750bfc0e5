import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readEnvironment } from '../common/config/index.js';
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
    const request = { backup: join(folder, 'backup.zip.age'), isCheck: true, identityFile: join(folder, name) };
    await expect(restoreBackup(readEnvironment({ DATA_DIR: dataDir }), request)).rejects.toMatchObject({
      name: 'BackupFault',
      message: expect.stringContaining(sentence),
    });
    expect(await readdir(dataDir)).toEqual([]);
  });
});
