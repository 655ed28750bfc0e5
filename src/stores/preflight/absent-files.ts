import { posix } from 'node:path';
import type { NamedFile } from './named-files.js';
import type { Oracle, PackageFacts, PreflightRule } from './preflight.js';

/** Files that the manifest names, and the package lacks. */
export const absent = (
  named: (manifest: PackageFacts['manifest']) => readonly NamedFile[],
  about: string,
  source: string,
  confirmedBy: readonly Oracle[],
): PreflightRule => ({
  code: 'absent_file',
  severity: 'refused',
  about,
  source,
  confirmedBy,
  find: ({ manifest, contents }) =>
    contents === null
      ? []
      : named(manifest)
          .filter(({ path, file }) => !lookedUpAs(file, path, confirmedBy).some((form) => contents.files.has(form)))
          .map(({ path, file }) => ({
            what: `${path} names "${file}", which the package does not have`,
            path,
            thing: file,
          })),
});

/** Characters of a name; packages with longer ones are refused. */
const MAX_NAME = 1024;

/** The names under which a file is looked up. Chromium reads the name of an icon as it is written. */
export function lookedUpAs(file: string, path: string, oracles: readonly Oracle[]): readonly string[] {
  // No package holds such a name, and resolving it takes time by the square of its length.
  if (file.length > MAX_NAME) return [];
  const name = plain(file);
  const isResolved = oracles.includes('addons-linter') || !path.startsWith('icons');
  return [name, decoded(name), ...(isResolved ? [posix.normalize(name)] : [])];
}

/** As browsers look a file up: from the root, with or without a slash. */
const plain = (file: string): string =>
  (file.split(/[?#]/, 1)[0] ?? '').replace(/^(?:\.?\/)+/, '').replaceAll(/\/(?:\.?\/)+/g, '/');

/** Pages are named by addresses. */
function decoded(file: string): string {
  try {
    return decodeURIComponent(file);
  } catch {
    return file;
  }
}
