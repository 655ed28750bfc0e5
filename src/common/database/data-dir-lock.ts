import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

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

const TOUCH_EVERY_MS = 5_000;
/** A holder on another host (a container sharing the volume) is judged by its last touch alone. */
const STALE_AFTER_MS = 20_000;

export interface DataDirLock {
  release(): Promise<void>;
}

/**
 * Takes the folder for this process. The lock of a process that was killed is taken over at once.
 * @throws DataDirInUse with a sentence that says who holds it
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'lock');
  const own: Holder = {
    pid: process.pid,
    host: hostname(),
    started: processAt(process.pid)?.started ?? '',
    nonce: randomUUID(),
  };
  while (!(await create(path, own))) await evict(path, dataDir);
  const touching = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => undefined), TOUCH_EVERY_MS);
  touching.unref();
  return {
    release: async () => {
      clearInterval(touching);
      if ((await read(path))?.nonce === own.nonce) await rm(path, { force: true });
    },
  };
}

/** Links a finished file into place, so that nobody ever reads half a lock. */
async function create(path: string, holder: Holder): Promise<boolean> {
  const draft = `${path}.${holder.nonce}`;
  try {
    await writeFile(draft, JSON.stringify(holder), { mode: 0o600 });
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Moves a dead holder's lock aside; puts it back if a living one has slipped in meanwhile. */
async function evict(path: string, dataDir: string): Promise<void> {
  const holder = await read(path);
  if (holder !== null && (await isAlive(holder, path)))
    throw new DataDirInUse(
      `${dataDir} is in use by process ${holder.pid} on ${holder.host}. Stop that one first, or give this one another DATA_DIR.`,
    );
  const aside = `${path}.${randomUUID()}`;
  await rename(path, aside).catch(() => undefined);
  const moved = await read(aside);
  if (moved !== null && moved.nonce !== holder?.nonce) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

async function read(path: string): Promise<Holder | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder;
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
