import { createHash, randomUUID } from 'node:crypto';
import { link, lstat, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isRunning, makeFolder, startOfThisProcess } from '../../system/index.js';

/** Another process uses the folder. A second one would destroy the database in it. */
export class DataDirInUse extends Error {
  override readonly name = 'DataDirInUse';
}

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** The kernel's start time of the process, which tells a reused pid from the old holder. */
  readonly started: string;
  readonly nonce: string;
}

/** A lock file on the disk. */
interface LockFile {
  readonly path: string;
  /** Hash of its content, which is unique per holder. */
  readonly id: string;
  /** Null when the file is not readable as a lock. */
  readonly holder: Holder | null;
}

const TOUCH_EVERY_MS = 5_000;
/** A holder on another host, such as a container with the same volume, counts as dead this long after its last touch. */
const STALE_AFTER_MS = 20_000;

export interface DataDirLock {
  unlock(): Promise<void>;
}

/**
 * Locks the folder for this process. The lock of a killed process is taken over at once, which no lock file library does safely.
 *
 * A process never removes the lock of another, which may have changed hands. A process that finds a dead lock links its own behind it, under
 * a name made of the dead lock's content, so that only one can; the last lock of this chain holds the folder, and moves to its front. A
 * process that linked behind a lock that has left the chain notices when it walks the chain again.
 * @throws DataDirInUse with the holder, or with what is in the lock's place
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  await makeFolder(dataDir);
  const front = join(dataDir, 'lock');
  const own = await draft(front);
  try {
    while (!(await take(front, own, dataDir)));
  } finally {
    await rm(own.path, { force: true });
  }
  const touching = setInterval(() => void utimes(front, new Date(), new Date()).catch(() => undefined), TOUCH_EVERY_MS);
  touching.unref();
  return {
    unlock: async () => {
      clearInterval(touching);
      await leave(front, own);
    },
  };
}

/** Writes a lock of this process to a separate file, so that linking it into place is atomic. */
async function draft(front: string): Promise<LockFile> {
  const holder: Holder = {
    pid: process.pid,
    host: hostname(),
    started: startOfThisProcess(),
    nonce: randomUUID(),
  };
  const path = `${front}.draft.${holder.nonce}`;
  const content = JSON.stringify(holder);
  await writeFile(path, content, { mode: 0o600, flag: 'wx' });
  return { path, id: idOf(content), holder };
}

/** Tries once; false when the chain has changed meanwhile. @throws DataDirInUse */
async function take(front: string, own: LockFile, dataDir: string): Promise<boolean> {
  const last = (await chainFrom(front)).at(-1);
  if (last?.holder != null && (await isAlive(last.holder, last.path)))
    throw new DataDirInUse(
      `${dataDir} is in use by process ${last.holder.pid} on ${last.holder.host}. Stop that process, or set another DATA_DIR for this one.`,
    );
  const place = last === undefined ? front : behind(front, last.id);
  if (!(await linked(own.path, place))) return false;
  const chain = await chainFrom(front);
  if (chain.at(-1)?.id !== own.id) {
    await rm(place, { force: true });
    return false;
  }
  if (place !== front) await rename(place, front);
  for (const { path } of chain.slice(1, -1)) await rm(path, { force: true });
  return true;
}

/** Unlocks the folder. Closes the chain behind itself first, so that a process that took this one for dead keeps its lock. */
async function leave(front: string, own: LockFile): Promise<void> {
  if ((await readLock(front))?.id !== own.id) return;
  const leaving = await draft(front);
  try {
    const place = behind(front, own.id);
    if (!(await linked(leaving.path, place))) return;
    await rm(front, { force: true });
    await rm(place, { force: true });
  } finally {
    await rm(leaving.path, { force: true });
  }
}

const idOf = (content: string): string => createHash('sha256').update(content).digest('hex');

/** Returns the path of the lock behind another. */
const behind = (front: string, id: string): string => `${front}.after.${id}`;

/** Reads the front lock and all locks behind it. */
async function chainFrom(front: string): Promise<readonly LockFile[]> {
  const chain: LockFile[] = [];
  let found = await readLock(front);
  while (found !== null && !chain.some(({ id }) => id === found?.id)) {
    chain.push(found);
    found = await readLock(behind(front, found.id));
  }
  return chain;
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Reads the lock at a path; null when there is none. @throws DataDirInUse when it is not a file */
async function readLock(path: string): Promise<LockFile | null> {
  try {
    if (!(await lstat(path)).isFile())
      throw new DataDirInUse(`${path} is not a lock file of Pierhead. Remove it first.`);
    const content = await readFile(path, 'utf8');
    return { path, id: idOf(content), holder: holderIn(content) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function holderIn(content: string): Holder | null {
  try {
    const holder = JSON.parse(content) as Partial<Holder> | null;
    return typeof holder?.pid === 'number' && typeof holder.host === 'string' ? (holder as Holder) : null;
  } catch {
    return null;
  }
}

async function isAlive(holder: Holder, path: string): Promise<boolean> {
  if (holder.host !== hostname()) {
    const touched = await stat(path).catch(() => null);
    return touched !== null && Date.now() - touched.mtimeMs < STALE_AFTER_MS;
  }
  return isRunning(holder.pid, holder.started);
}
