import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DataDirInUse, lockDataDir, type DataDirLock } from './data-dir-lock.js';

const BUILT = fileURLToPath(new URL('../../../dist/common/database/data-dir-lock.js', import.meta.url));
const LONG_AGO = new Date(Date.now() - 60_000);

describe('the folder of the embedded database', () => {
  let folder: string;
  const locks: DataDirLock[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pierhead-lock-'));
  });
  afterEach(async () => {
    for (const lock of locks.splice(0)) await lock.release();
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

  it('is refused to a second process with a sentence that says who has it, and free once that one was killed', async () => {
    const other = await otherProcess();
    const refused = await lock().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DataDirInUse);
    expect((refused as Error).message).toBe(
      `${folder} is in use by process ${other.pid} on ${hostname()}. Stop that one first, or give this one another DATA_DIR.`,
    );
    await other.kill();
    await lock();
    expect(JSON.parse(await readFile(lockFile(), 'utf8'))).toMatchObject({ pid: process.pid, host: hostname() });
  });

  it('is refused to the same process too, until it gives it back', async () => {
    const first = await lockDataDir(folder);
    await expect(lock()).rejects.toThrow(DataDirInUse);
    await first.release();
    expect(await readdir(folder)).toEqual([]);
    await lock();
  });

  it('goes to exactly one of many that come at once, also when a dead one left its lock', async () => {
    await held({ pid: 999_999_999, host: hostname(), started: '1' });
    const tries = await Promise.allSettled(Array.from({ length: 12 }, () => lock()));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await readdir(folder)).toEqual(['lock']);
  });

  it('is free when the pid of its holder now belongs to a process that started at another time', async () => {
    await held({ pid: process.pid, host: hostname(), started: '1' });
    await lock();
  });

  it('is taken over from another host that has not touched it for long, and not from one that just did', async () => {
    await held({ pid: 1, host: 'another-host', started: '1' });
    await expect(lock()).rejects.toThrow(/in use by process 1 on another-host/);
    await utimes(lockFile(), LONG_AGO, LONG_AGO);
    await lock();
  });

  it('is free when the lock is not one of ours to read', async () => {
    await writeFile(lockFile(), 'half a lo');
    await lock();
    expect(JSON.parse(await readFile(lockFile(), 'utf8'))).toMatchObject({ pid: process.pid });
  });

  it('is not given away by a holder whose lock was taken over meanwhile', async () => {
    const first = await lockDataDir(folder);
    await held({ pid: 1, host: 'another-host', started: '1' });
    await first.release();
    expect(JSON.parse(await readFile(lockFile(), 'utf8'))).toMatchObject({ nonce: 'theirs' });
  });
});
