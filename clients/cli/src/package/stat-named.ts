import { lstat, stat } from 'node:fs/promises';
import { usageFailure } from '../failure.js';

/** Finds out about a path that an argument, an option or pierhead.json names. @throws Failure when nothing is there */
export async function statNamed(path: string): ReturnType<typeof stat> {
  try {
    return await stat(path);
  } catch {
    const isLink = await lstat(path).then(
      (found) => found.isSymbolicLink(),
      () => false,
    );
    throw usageFailure(isLink ? `${path} is a link that leads nowhere.` : `There is no ${path}.`);
  }
}
