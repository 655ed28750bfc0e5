import ignore from 'ignore';
import picomatch from 'picomatch';

/** A function of the path of a file or folder, relative to what is packed and with `/`: whether it stays out. */
export type Ignores = (path: string, isFolder?: boolean) => boolean;

/** Secrets, and what a package manager brings back. */
const NEVER = [
  '**/node_modules',
  '**/*.{zip,xpi,crx}',
  '**/*.{pem,p8}',
  '**/{.netrc,_netrc,.aws,.ssh}',
  'web-ext-artifacts',
];
/** Files that never belong into a package: the defaults of `web-ext build`, private keys, and Pierhead's own settings. */
const NOT_IN_PACKAGE = [...NEVER, '**/.*', 'pierhead.json'];
/** Files of the sources that no reviewer wants; other hidden files, such as `.npmrc`, belong to them. */
const NOT_IN_SOURCES = [...NEVER, '**/.{git,hg,svn}', '**/.env*', '!**/.env.example', '.output', '.plasmo', '.wxt'];

/**
 * Returns a filter of the files that stay out of a package.
 * @param ignoreFiles patterns as `web-ext` takes them, relative to the folder, in the order in which they apply; `!` takes a path back in
 */
export const ignoredInPackage = (ignoreFiles: readonly string[] = []): Ignores =>
  ignoring([...NOT_IN_PACKAGE, ...ignoreFiles]);

/**
 * Returns a filter of the files that stay out of an archive of sources.
 * @param gitignore the text of the `.gitignore` at its root; it cannot take back in what holds secrets
 */
export function ignoredInSources(gitignore = ''): Ignores {
  const always = ignoring(NOT_IN_SOURCES);
  const byGit = ignore().add(gitignore);
  return (path, isFolder = false) => always(path) || byGit.ignores(isFolder ? `${path}/` : path);
}

function ignoring(patterns: readonly string[]): Ignores {
  const rules = patterns.map((pattern) => {
    const isException = pattern.startsWith('!');
    const matches = picomatch((isException ? pattern.slice(1) : pattern).replace(/^\.?\//, ''), { dot: true });
    return { isException, matches };
  });
  return (path) => rules.reduce((ignored, { isException, matches }) => (matches(path) ? !isException : ignored), false);
}
