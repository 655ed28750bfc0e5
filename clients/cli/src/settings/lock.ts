import { open, rm, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** What is done under a lock takes milliseconds, so that an older one belongs to a process that was killed. */
const STALE_AFTER_MS = 5_000;
const BETWEEN_TRIES_MS = 20;

/** Does work while no other process holds the lock: a file that only one of them can create. */
export async function locked<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  while (!(await taken(path))) {
    if (await isStale(path)) await rm(path, { force: true });
    else await pause(BETWEEN_TRIES_MS);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function taken(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

const isStale = async (path: string): Promise<boolean> => {
  const before = await stat(path).catch(() => null);
  return before !== null && Date.now() - before.mtimeMs > STALE_AFTER_MS;
};
