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
          .filter(({ file }) => !contents.files.has(plain(file)) && !contents.files.has(decoded(plain(file))))
          .map(({ path, file }) => ({ what: `${path} names "${file}", which the package does not have`, path })),
});

/** As browsers look a file up: from the root, with or without a slash. */
const plain = (file: string): string => file.replace(/[?#].*$/s, '').replace(/^(?:\.?\/)+/, '');

/** Pages are named by addresses. */
function decoded(file: string): string {
  try {
    return decodeURIComponent(file);
  } catch {
    return file;
  }
}
