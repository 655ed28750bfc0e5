import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, lstat, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../system/index.js';

/** Another process works on the same folder; a second one would destroy the database in it. */
export class DataDirInUse extends Error {
  override readonly name = 'DataDirInUse';
}

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** The kernel's start time of the process, so that a pid used anew is not mistaken for the old holder. */
  readonly started: string;
  readonly nonce: string;
}

/** A lock file as it lies there. */
interface Found {
  readonly path: string;
  /** Of its content, which no two holders share. */
  readonly id: string;
  /** Null when it is not one of ours to read. */
  readonly holder: Holder | null;
}

const TOUCH_EVERY_MS = 5_000;
/** A holder on another host (a container sharing the volume) is judged by its last touch alone. */
const STALE_AFTER_MS = 20_000;

export interface DataDirLock {
  release(): Promise<void>;
}

/**
 * Takes the folder for this process. The lock of a process that was killed is taken over at once.
 *
 * Nobody ever removes another's lock, which could be a living one's by then. Whoever finds a dead one links his own behind it, under a
 * name made of the dead one's content, so that one alone can; the last of this chain holds the folder, and moves his lock to its front.
 * Who was late, and linked behind a lock that is no longer part of the chain, sees that when he walks it again from the front.
 * @throws DataDirInUse with a sentence that says who holds it, or what lies in the lock's place
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
    release: async () => {
      clearInterval(touching);
      await leave(front, own);
    },
  };
}

/** Writes a lock of this process that is nowhere in place yet: linked there, nobody ever reads half of it. */
async function draft(front: string): Promise<Found> {
  const holder: Holder = {
    pid: process.pid,
    host: hostname(),
    started: processAt(process.pid)?.started ?? '',
    nonce: randomUUID(),
  };
  const path = `${front}.draft.${holder.nonce}`;
  const content = JSON.stringify(holder);
  await writeFile(path, content, { mode: 0o600, flag: 'wx' });
  return { path, id: idOf(content), holder };
}

/** One try; false when something has moved meanwhile. @throws DataDirInUse */
async function take(front: string, own: Found, dataDir: string): Promise<boolean> {
  const last = (await chainFrom(front)).at(-1);
  if (last?.holder != null && (await isAlive(last.holder, last.path)))
    throw new DataDirInUse(
      `${dataDir} is in use by process ${last.holder.pid} on ${last.holder.host}. Stop that one first, or give this one another DATA_DIR.`,
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

/** Gives the folder back: closes the chain behind itself first, so that nobody who took this one for dead loses what he took. */
async function leave(front: string, own: Found): Promise<void> {
  if ((await look(front))?.id !== own.id) return;
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

/** Where the lock goes that comes after one. */
const behind = (front: string, id: string): string => `${front}.after.${id}`;

/** The lock in front, and each that was linked behind the one before. */
async function chainFrom(front: string): Promise<readonly Found[]> {
  const chain: Found[] = [];
  let found = await look(front);
  while (found !== null && !chain.some(({ id }) => id === found?.id)) {
    chain.push(found);
    found = await look(behind(front, found.id));
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

/** What lies at a path; null when nothing does. @throws DataDirInUse when it is no file, and so none of ours */
async function look(path: string): Promise<Found | null> {
  try {
    if (!(await lstat(path)).isFile())
      throw new DataDirInUse(`${path} is not the file that Pierhead puts there. Remove it first.`);
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
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const found = processAt(holder.pid);
  return found === undefined || (found.started === holder.started && !found.dead);
}

/** State and start time (fields 3 and 22 of /proc/pid/stat); undefined where the system has no such file. */
function processAt(pid: number): { readonly dead: boolean; readonly started: string } | undefined {
  try {
    const [state, ...rest] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return { dead: state === 'Z' || state === 'X', started: rest[18] ?? '' };
  } catch {
    return undefined;
  }
}
