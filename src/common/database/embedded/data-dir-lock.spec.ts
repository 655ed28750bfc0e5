import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DataDirInUse, lockDataDir, type DataDirLock } from './data-dir-lock.js';

const BUILT = fileURLToPath(new URL('../../../../dist/common/database/embedded/data-dir-lock.js', import.meta.url));
/** Six threads with four tries each, since they leave a common start within microseconds of each other. */
const RACE = `
  import { mkdirSync, writeFileSync } from 'node:fs';
  import { Worker } from 'node:worker_threads';
  const [built, folder, rounds] = process.argv.slice(1);
  const dead = JSON.stringify({ pid: 999999999, host: (await import('node:os')).hostname(), started: '1', nonce: 'dead' });
  for (let round = 0; round < Number(rounds); round += 1) {
    mkdirSync(folder + '/' + round);
    writeFileSync(folder + '/' + round + '/lock', dead);
  }
  const COUNT = 6;
  const ready = new Int32Array(new SharedArrayBuffer(4 * Number(rounds)));
  const held = new Int32Array(new SharedArrayBuffer(4 * Number(rounds)));
  const work = \`
    const { workerData: { built, folder, ready, held, COUNT } } = require('node:worker_threads');
    (async () => {
      const { lockDataDir } = await import(built);
      for (let round = 0; round < ready.length; round += 1) {
        if (Atomics.add(ready, round, 1) === COUNT - 1) Atomics.notify(ready, round);
        for (let seen; (seen = Atomics.load(ready, round)) < COUNT; ) Atomics.wait(ready, round, seen, 5);
        await Promise.all(Array.from({ length: 4 }, () =>
          lockDataDir(folder + '/' + round).then(() => Atomics.add(held, round, 1), (error) => {
            if (error.name !== 'DataDirInUse') throw error;
          })));
      }
      process.exit();
    })();\`;
  const workers = Array.from({ length: COUNT }, () =>
    new Worker(work, { eval: true, execArgv: [], workerData: { built, folder, ready, held, COUNT } }));
  await Promise.all(workers.map((worker) => new Promise((resolve, reject) => worker.on('error', reject).on('exit', resolve))));
  process.stdout.write(JSON.stringify([...held]));`;
const LONG_AGO = new Date(Date.now() - 60_000);

describe('the folder of the embedded database', () => {
  let folder: string;
  const locks: DataDirLock[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pierhead-lock-'));
  });
  afterEach(async () => {
    for (const lock of locks.splice(0)) await lock.unlock();
    await rm(folder, { recursive: true });
  });

  const lockFile = () => join(folder, 'lock');
  const lock = async () => void locks.push(await lockDataDir(folder));
  const held = async (holder: object) => writeFile(lockFile(), JSON.stringify({ nonce: 'theirs', ...holder }));

  /** A process that takes the folder and then does nothing; ended with SIGKILL. */
  async function otherProcess(): Promise<{ readonly pid: number; kill(): Promise<void> }> {
    const script = `
      const { lockDataDir } = await import(${JSON.stringify(BUILT)});
      await lockDataDir(${JSON.stringify(folder)});
      process.stdout.write('locked');
      process.stdin.resume();`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    const first = await Promise.race([once(child.stdout, 'data'), ended]);
    if (String(first[0]) !== 'locked') throw new Error('The other process could not take the folder: is dist/ built?');
    return {
      pid: child.pid ?? 0,
      kill: async () => {
        child.kill('SIGKILL');
        await ended;
      },
    };
  }

  /** How many hold a folder at the end, for each of so many folders with a dead one's lock. */
  async function race(rounds: number): Promise<readonly number[]> {
    const child = spawn(process.execPath, ['--input-type=module', '-e', RACE, BUILT, folder, String(rounds)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return JSON.parse(await text(child.stdout)) as readonly number[];
  }

  it('is refused to a second process with the name of its holder, and free once the holder is killed', async () => {
    const other = await otherProcess();
    const refused = await lock().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DataDirInUse);
    expect((refused as Error).message).toBe(
      `${folder} is in use by process ${other.pid} on ${hostname()}. Stop that process, or set another DATA_DIR for this one.`,
    );
    await other.kill();
    await lock();
    expect(JSON.parse(await readFile(lockFile(), 'utf8'))).toMatchObject({ pid: process.pid, host: hostname() });
  });

  it('is refused to the same process too, until it unlocks it', async () => {
    const first = await lockDataDir(folder);
    await expect(lock()).rejects.toThrow(DataDirInUse);
    await first.unlock();
    expect(await readdir(folder)).toEqual([]);
    await lock();
  });

  it('goes to exactly one of many simultaneous processes, also over a dead lock', async () => {
    await held({ pid: 999_999_999, host: hostname(), started: '1' });
    const tries = await Promise.allSettled(Array.from({ length: 12 }, () => lock()));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await readdir(folder)).toEqual(['lock']);
  });

  it('is never held by two of many processes that find a dead lock at the same instant', async () => {
    const held = await race(100);
    expect(held).toEqual(held.map(() => 1));
  }, 60_000);

  it.each<[string, () => Promise<void>]>([
    ['a folder', () => mkdir(lockFile())],
    ['a link to nothing', () => symlink(join(folder, 'nothing'), lockFile())],
    ['a link to a file', () => symlink(BUILT, lockFile())],
  ])('is refused with a sentence when %s is in the place of its lock', async (_, put) => {
    await put();
    await expect(lock()).rejects.toThrow(`${lockFile()} is not a lock file of Pierhead. Remove it first.`);
    expect(await readdir(folder)).toEqual(['lock']);
  });

  it('can be unlocked after a takeover that followed a killed takeover', async () => {
    await held({ pid: 999_999_999, host: hostname(), started: '1' });
    const id = createHash('sha256')
      .update(await readFile(lockFile()))
      .digest('hex');
    await writeFile(
      join(folder, `lock.after.${id}`),
      JSON.stringify({ pid: 999_999_998, host: hostname(), started: '1', nonce: 'another' }),
    );
    const first = await lockDataDir(folder);
    expect(await readdir(folder)).toEqual(['lock']);
    await expect(lock()).rejects.toThrow(DataDirInUse);
    await first.unlock();
    expect(await readdir(folder)).toEqual([]);
  });

  it("is free when its holder's pid belongs to a process that started at another time", async () => {
    await held({ pid: process.pid, host: hostname(), started: '1' });
    await lock();
  });

  it('is taken over from another host only when that has not touched it for a while', async () => {
    await held({ pid: 1, host: 'another-host', started: '1' });
    await expect(lock()).rejects.toThrow(/in use by process 1 on another-host/);
    await utimes(lockFile(), LONG_AGO, LONG_AGO);
    await lock();
  });

  it('is free when its lock is unreadable', async () => {
    await writeFile(lockFile(), 'half a lo');
    await lock();
    expect(JSON.parse(await readFile(lockFile(), 'utf8'))).toMatchObject({ pid: process.pid });
  });

  it('is not unlocked by a holder whose lock was taken over', async () => {
    const first = await lockDataDir(folder);
    await held({ pid: 1, host: 'another-host', started: '1' });
    await first.unlock();
    expect(JSON.parse(await readFile(lockFile(), 'utf8'))).toMatchObject({ nonce: 'theirs' });
  });
});
