import { readdir, stat } from 'node:fs/promises';
import { join, parse, sep } from 'node:path';
import picomatch from 'picomatch';
import { usageFailure } from '../failure.js';

/** Stands in a path for the number of any version. */
const VERSION = '{version}';
/** Two numbers or more with dots between them, or a variable of a shell that holds such a number. */
const VERSION_IN_PATH = /(?<![\d.])\d+(?:\.\d+){1,3}(?!\.?\d)|\$\{?\w*version\w*\}?/gi;

/** A path that also names what the next version is built to. Pure. */
export const lastingPath = (path: string): string => path.replaceAll(VERSION_IN_PATH, VERSION);

/**
 * What is at a path whose names may have `*`, `?`, `**` or `{version}` in them; of several, the one that was made last. A path without them stays as
 * it is, whether or not something is there.
 * @throws Failure when nothing matches
 */
export async function newestOf(path: string): Promise<string> {
  const { root } = parse(path);
  let found = [root];
  let isPattern = false;
  for (const name of path.slice(root.length).split(sep)) {
    const next: string[] = [];
    for (const folder of found) {
      const matching = await entriesLike(folder, name);
      isPattern ||= matching !== null;
      next.push(...(matching ?? [join(folder, name)]));
    }
    found = next;
  }
  if (!isPattern) return path;
  const times = await Promise.all(found.map(async (at) => ({ at, made: (await stat(at).catch(() => null))?.mtimeMs })));
  const newest = times
    .flatMap(({ at, made }) => (made === undefined ? [] : [{ at, made }]))
    .toSorted((one, other) => other.made - one.made || other.at.localeCompare(one.at, 'en', { numeric: true }))[0];
  if (newest === undefined) throw usageFailure(`Nothing matches ${path}.`);
  return newest.at;
}

/** The entries of a folder that a name means, or null for a name that is no pattern, or the name of an entry. `**` is the folder and all below. */
async function entriesLike(folder: string, name: string): Promise<readonly string[] | null> {
  if (name === '**') {
    const below = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    return [folder, ...below.filter((at) => at.isDirectory()).map((at) => join(at.parentPath, at.name))];
  }
  const pattern = name.replaceAll(VERSION, '+([0-9.])');
  if (!picomatch.scan(pattern).isGlob) return null;
  const names = await readdir(folder).catch((): string[] => []);
  const isMatch = picomatch(pattern);
  return names.includes(name) ? null : names.filter((each) => isMatch(each)).map((each) => join(folder, each));
}
