import { open, opendir } from 'node:fs/promises';
import { join } from 'node:path';

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
  } finally {
    await file.close();
  }
}
