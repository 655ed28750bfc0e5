import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dropPath, holdPath, removeAbandoned } from './held-paths.js';

const OWN_PLACE = /\.of-[0-9a-f]{12}-/;

describe('a path that a process holds', () => {
  let folder: string;
  let own: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pierhead-held-'));
    own = holdPath(join(folder, 'one.zip'), '.partial');
    await writeFile(own, '');
  });
  afterEach(async () => {
    await dropPath(own);
    await rm(folder, { recursive: true });
  });

  /** Puts a file of another process there, last touched so many seconds ago. */
  const left = async (name: string, secondsAgo = 0): Promise<string> => {
    const then = new Date(Date.now() - secondsAgo * 1000);
    await writeFile(join(folder, name), '');
    await utimes(join(folder, name), then, then);
    return name;
  };
  const remaining = async (): Promise<readonly string[]> => {
    await removeAbandoned(folder);
    return (await readdir(folder)).toSorted();
  };

  it('is left to it, and to nobody once it is dropped', async () => {
    expect(own).toMatch(/one\.zip\.of-[0-9a-f]{12}-\d+-\d*\.partial$/);
    expect(await remaining()).toEqual([basename(own)]);
    await dropPath(own);
    expect(await remaining()).toEqual([]);
  });

  it('is removed once the process is dead, although another has its number', async () => {
    await left(basename(own).replace(`-${process.pid}-`, '-999999999-'));
    if (process.platform === 'linux') await left(basename(own).replace(`-${process.pid}-`, `-${process.pid}-1`));
    expect(await remaining()).toEqual([basename(own)]);
  });

  it('is removed on another machine once nobody has touched it for minutes', async () => {
    const there = basename(own).replace(OWN_PLACE, '.of-000000000000-');
    const busy = await left(`busy-${there}`, 240);
    await left(`dead-${there}`, 301);
    const others = await left('notes.txt', 86_400);
    expect(await remaining()).toEqual([basename(own), busy, others].toSorted());
  });

  it('is no concern where there is no folder', async () => {
    await expect(removeAbandoned(join(folder, 'none'))).resolves.toBeUndefined();
  });
});
