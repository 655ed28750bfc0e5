import { open, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Surroundings } from '../context.js';
import { usageFailure } from '../failure.js';

/**
 * Makes a file that only the user can read, then does the work whose text it holds. It is made before, so that nothing that is answered once
 * is lost, and no file is replaced. Without text, or when the work fails, none stays.
 * @throws Failure when there is such a file, or it cannot be made
 */
export async function intoPrivateFile<Result>(
  { cwd }: Pick<Surroundings, 'cwd'>,
  named: string,
  work: () => Promise<Result>,
  textOf: (result: Result) => string,
): Promise<Result> {
  const path = resolve(cwd, named);
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw usageFailure(`${named} exists already.`, 'Name a new file.');
    throw usageFailure(`${named} cannot be written: ${error.message}`);
  });
  let text = '';
  try {
    const result = await work();
    text = textOf(result);
    await file.writeFile(text);
    return result;
  } finally {
    await file.close();
    if (text === '') await rm(path, { force: true });
  }
}
