import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Ignores } from './ignored.js';

const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Lists the files that stay out of the sources in a folder of a Git repository: those that Git neither tracks nor would
 * add, by every `.gitignore` and exclude file. A folder that is reached by a link stays out, since it is packed where it is.
 * @returns null outside of a repository, or where Git knows nothing below the folder
 */
export async function ignoredByGit(folder: string): Promise<Ignores | null> {
  const listed = async (...options: readonly string[]): Promise<readonly string[]> => {
    const { stdout } = await promisify(execFile)('git', ['-C', folder, 'ls-files', '-z', ...options], {
      maxBuffer: MAX_BYTES,
    });
    return stdout.split('\0').filter(Boolean);
  };
  const files = await Promise.all([
    listed('--cached', '--recurse-submodules'),
    listed('--others', '--exclude-standard'),
  ])
    .then((found) => new Set(found.flat()))
    // Git is not there, or this is no repository that it opens for this user.
    .catch(() => new Set<string>());
  if (files.size === 0) return null;
  const folders = new Set([...files].flatMap(foldersAbove));
  return (path, isFolder = false) => (isFolder ? !folders.has(path) : !files.has(path) && !folders.has(path));
}

function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}
