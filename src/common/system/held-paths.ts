import { createHash } from 'node:crypto';
import { existsSync, readlinkSync, rmSync } from 'node:fs';
import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { isRunning, startOfThisProcess } from './processes.js';

const TOUCH_EVERY_MS = 5_000;
/** A path of another machine or container counts as abandoned this long after its last touch: far longer than a busy process is silent. */
const STALE_AFTER_MS = 300_000;
/** More than the file operations that Node.js has under way at once. */
const EXIT_TRIES = 10;
const OWNER = /\.of-([0-9a-f]{12})-(\d+)-(\d*)(?=\.|$)/;

/** The namespace of pids: this machine, or this container on it. */
const PLACE = createHash('sha256').update(`${hostname()} ${pidNamespace()}`).digest('hex').slice(0, 12);

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

const held = new Set<string>();
let isWatching = false;

/**
 * Returns a path that names this process as its owner, so that others can tell when its file or folder is abandoned. It is removed when this
 * process exits. The caller must `dropPath` it in any case.
 */
export function holdPath(path: string, ending = ''): string {
  watch();
  const owned = `${path}.of-${PLACE}-${process.pid}-${startOfThisProcess()}${ending}`;
  held.add(owned);
  return owned;
}

/** Removes what is at a held path, if anything still is. */
export async function dropPath(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  held.delete(path);
}

/** Removes what processes that were killed have left in a folder. */
export async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    if (await isAbandoned(path)) await rm(path, { recursive: true, force: true });
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  const [, place, pid, started = ''] = OWNER.exec(basename(path)) ?? [];
  if (place === undefined) return false;
  if (place === PLACE) return !isRunning(Number(pid), started);
  const found = await stat(path).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs > STALE_AFTER_MS;
}

/** Removes a path, again as often as a file operation that was under way has added to it meanwhile: no new one begins during an exit. */
function removeAtExit(path: string): void {
  for (let tries = 0; tries < EXIT_TRIES && existsSync(path); tries += 1)
    try {
      rmSync(path, { recursive: true, force: true, maxRetries: 1 });
    } catch {
      // The next process that looks for abandoned paths removes what is left after the last try.
    }
}

/** Touches held paths for other machines, and removes them at the exit of this process. */
function watch(): void {
  if (isWatching) return;
  isWatching = true;
  setInterval(() => {
    const now = new Date();
    for (const path of held) utimes(path, now, now).catch(() => undefined);
  }, TOUCH_EVERY_MS).unref();
  process.once('exit', () => {
    for (const path of held) removeAtExit(path);
  });
}
