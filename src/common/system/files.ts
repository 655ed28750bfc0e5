import { randomUUID } from 'node:crypto';
import { mkdir, open, opendir, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** Every file below a folder; none when it does not exist. */
export async function* filesBelow(folder: string): AsyncIterable<string> {
  const directory = await opendir(folder, { recursive: true }).catch(() => null);
  if (directory === null) return;
  for await (const entry of directory) if (entry.isFile()) yield join(entry.parentPath, entry.name);
}

/** Forces a file, or a folder's entries, to the disk: what is acknowledged must survive a power cut. */
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

/** Some network file systems cannot sync a folder and say so; PostgreSQL accepts that as well. */
export const isUnsyncableFolder = (error: unknown, isFolder: boolean): boolean =>
  isFolder && (error as NodeJS.ErrnoException).code === 'EINVAL';

/** Forces a folder to the disk with everything below it. */
export async function syncAllToDisk(folder: string): Promise<void> {
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name);
    await (entry.isDirectory() ? syncAllToDisk(path) : syncToDisk(path));
  }
  await syncToDisk(folder);
}

/**
 * Makes a folder that only this user may enter, with the missing ones above it, and forces its entry to the disk. Not by Node's
 * `recursive`, which never ends below a folder that takes no entries and says ENOENT, such as /proc.
 */
export async function makeFolder(path: string): Promise<void> {
  const folder = resolve(path);
  const parent = dirname(folder);
  const isNew = await mkdirIfMissing(folder).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || parent === folder) throw error;
    await makeFolder(parent);
    return mkdirIfMissing(folder);
  });
  // Also when it was there: whoever made it may not have come so far. A parent that may not be read holds folders that others made.
  await syncToDisk(parent).catch((error: unknown) => {
    if (isNew) throw error;
  });
}

/** Whether it was missing. */
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

/** Makes a folder if need be, and writes a small file there. @throws what the system says when the folder takes no writes */
export async function probeFolder(folder: string): Promise<void> {
  await makeFolder(folder);
  const path = join(folder, `probe.${randomUUID()}`);
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(Buffer.alloc(4096));
    await file.sync();
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}
