import { EventEmitter, once } from 'node:events';
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { locked } from './lock.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pierhead-lock-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Holds a lock until it is told to end. */
async function held(path: string): Promise<{ readonly end: () => Promise<void> }> {
  const told = new EventEmitter();
  const begun = once(told, 'begun');
  const ended = locked(path, async () => {
    told.emit('begun');
    await once(told, 'end');
  });
  await begun;
  return { end: () => (told.emit('end'), ended) };
}

/** Makes a lock look as if it was taken long ago. */
async function age(path: string): Promise<void> {
  const long = new Date(Date.now() - 60_000);
  for (const name of ['', ...(await readdir(path).catch(() => []))]) await utimes(join(path, name), long, long);
}

it('only one at a time takes a lock that many find abandoned', async () => {
  for (let round = 0; round < 20; round++) {
    const path = join(folder, String(round));
    await held(path);
    await age(path);
    let [holders, most] = [0, 0];
    const work = async (): Promise<void> => {
      most = Math.max(most, ++holders);
      // Long enough for the others to try, and too short for them to find it abandoned.
      await readdir(folder);
      holders--;
    };
    const ended: Promise<void>[] = [];
    for (let at = 0; at < 10; at++) {
      ended.push(locked(path, work));
      // They come one after the other, so that some find it abandoned while others remove it.
      await new Promise(setImmediate);
    }
    await Promise.all(ended);
    expect(most).toBe(1);
  }
  expect(await readdir(folder)).toEqual([]);
});

it('a slow process whose lock was taken from it leaves the lock to the one that has it', async () => {
  const path = join(folder, 'slow');
  const slow = await held(path);
  await age(path);
  const next = await held(path);
  await slow.end();
  expect(await readdir(folder)).toEqual(['slow']);
  await next.end();
  expect(await readdir(folder)).toEqual([]);
});
