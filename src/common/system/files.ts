import { randomUUID } from 'node:crypto';
import { mkdir, open, opendir, readdir, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** Yields every file below a folder; none when the folder does not exist. */
export async function* filesBelow(folder: string): AsyncIterable<string> {
  const directory = await opendir(folder, { recursive: true }).catch(() => null);
  if (directory === null) return;
  for await (const entry of directory) if (entry.isFile()) yield join(entry.parentPath, entry.name);
}

/** Flushes a file, or a folder's entries, to the disk, so that they survive a power cut. */
export async function syncToDisk(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } catch (error) {
    if (!isUnsyncableFolder(error, (await file.stat()).isDirectory())) throw error;
  } finally {
    await file.close();
  }
}

/** Whether an error only says that the file system cannot sync folders, as some network file systems do. PostgreSQL ignores it too. */
export const isUnsyncableFolder = (error: unknown, isFolder: boolean): boolean =>
  isFolder && (error as NodeJS.ErrnoException).code === 'EINVAL';

/** Number of files flushed at once: a disk that gets them together needs a tenth of the time. */
const AT_ONCE = 16;

/** Flushes a folder and everything below it to the disk. */
export async function syncAllToDisk(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const left = [folder, ...entries.map(({ parentPath, name }) => join(parentPath, name))].values();
  const takeTurns = async (): Promise<void> => {
    for (const path of left) await syncToDisk(path);
  };
  // All turns have ended when this one fails, so that the caller may remove the folder.
  const turns = await Promise.allSettled(Array.from({ length: AT_ONCE }, takeTurns));
  const failed = turns.find((turn) => turn.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/**
 * Creates a folder that only this user can enter, with its missing parents, and flushes its entry to the disk. Node's `recursive` option
 * never returns below a folder that answers ENOENT to new entries, such as /proc.
 */
export async function makeFolder(path: string): Promise<void> {
  const folder = resolve(path);
  const parent = dirname(folder);
  const isNew = await mkdirIfMissing(folder).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || parent === folder) throw error;
    await makeFolder(parent);
    return mkdirIfMissing(folder);
  });
  // Also when it existed: its creator may have crashed before this. An unreadable parent holds folders that others created.
  await syncToDisk(parent).catch((error: unknown) => {
    if (isNew) throw error;
  });
}

/** Creates a folder; returns whether it was missing. */
async function mkdirIfMissing(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST' && (await stat(folder)).isDirectory();
    if (!exists) throw error;
    return false;
  }
}

/** Creates a folder if it is missing, writes a small file there and deletes it. Throws the system's error when that fails. */
export async function probeFolder(folder: string, name = `probe.${randomUUID()}`): Promise<void> {
  await makeFolder(folder);
  const path = join(folder, name);
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(Buffer.alloc(4096));
    await file.sync();
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}

/** Share of a folder's disk that this user may still write to, in percent. */
export async function freePercent(folder: string): Promise<number> {
  const { bavail, blocks } = await statfs(folder);
  return blocks === 0 ? 100 : (bavail / blocks) * 100;
}

/** Number of bytes that this user may still write to the disk of a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
