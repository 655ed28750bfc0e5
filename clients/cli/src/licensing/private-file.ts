import { open, rm } from 'node:fs/promises';
import { usageFailure } from '../failure.js';

/**
 * Makes a file that only the user can read, then does the work whose text it holds. It is made before, so that nothing that is answered once
 * is lost, and no file is replaced. Without text, or when the work fails, none stays.
 * @throws Failure when there is such a file, or it cannot be made
 */
export async function intoPrivateFile<Result>(
  path: string,
  work: () => Promise<Result>,
  textOf: (result: Result) => string,
): Promise<Result> {
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw usageFailure(`${path} exists already.`, 'Name a new file.');
    throw usageFailure(`${path} cannot be written: ${error.message}`);
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
