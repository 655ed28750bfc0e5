import { mkdir, readdir, rename, rm, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Work under the lock takes milliseconds; an older lock was left by a killed process. */
const STALE_AFTER_MS = 5_000;
const BETWEEN_TRIES_MS = 20;
/** Error codes for renaming onto an existing folder. */
const IS_THERE = new Set(['ENOTEMPTY', 'EEXIST', 'EPERM']);

/**
 * Does work while no other process holds the lock: a folder with one file, which is named after its holder. Processes that find the same lock
 * stale can therefore all remove its file, but none removes the file of the one that takes the lock next.
 */
export async function locked<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const holder = crypto.randomUUID();
  while (!(await taken(path, holder))) {
    const stale = await staleIn(path);
    if (stale !== null) await release(path, stale);
    await pause(BETWEEN_TRIES_MS);
  }
  try {
    return await work();
  } finally {
    await release(path, holder);
  }
}

/** A folder with a file in it gets the name in one step, and never takes it from another such folder. */
async function taken(path: string, holder: string): Promise<boolean> {
  const mine = `${path}.${holder}`;
  await mkdir(mine, { mode: 0o700 });
  try {
    await writeFile(join(mine, holder), '');
    return await rename(mine, path).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (IS_THERE.has(error.code ?? '')) return false;
        throw error;
      },
    );
  } finally {
    await rm(mine, { recursive: true, force: true });
  }
}

/** Process that has held the lock for too long; null where none has. */
async function staleIn(path: string): Promise<string | null> {
  try {
    const [holder = ''] = await readdir(path);
    const { mtimeMs } = await stat(join(path, holder));
    return Date.now() - mtimeMs > STALE_AFTER_MS ? holder : null;
  } catch {
    // It is free by now.
    return null;
  }
}

/** Gives a lock back, unless another process has taken it since. */
async function release(path: string, holder: string): Promise<void> {
  await unlink(join(path, holder)).catch(() => undefined);
  await rmdir(path).catch(() => undefined);
}
