import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { inspectApp } from '../preflight/rules.js';
import { contentDigest } from './content-digest.js';
import { ignoredByGit } from './git-files.js';
import { ignoredInPackage, ignoredInSources, type Ignores } from './ignored.js';
import { type Manifest, readManifest } from './manifest.js';
import { newestOf } from './patterns.js';
import { type ZipOnDisk, zipFolder, type Zipping } from './zip-folder.js';
import { holdsNpmToken } from './secrets.js';
import { statNamed } from './stat-named.js';
import { isSignedPackage, measureZip } from './zip-reader.js';

/** A package that is ready to be sent. */
export interface PreparedPackage extends ZipOnDisk {
  readonly manifest: Manifest;
  /** A `.crx` is signed by its author, for the Chrome Web Store; an app, for the App Store, and of that no manifest is checked. */
  readonly format: 'zip' | 'crx' | 'pkg' | 'ipa';
  /** Of names and contents, in hex; absent where the zip is the same for the same content anyway. */
  readonly contentSha256?: string | undefined;
  /** Deletes what was made for it, and nothing that was there before. */
  discard(): Promise<void>;
}

/**
 * Makes a zip of a folder, or takes a zip as it is, and reads its manifest.
 * @param ignoreFiles see `ignoredInPackage`
 * @throws Error with the package's fault
 */
export async function preparePackage(
  path: string,
  ignoreFiles: readonly string[] = [],
  zipping?: Zipping,
): Promise<PreparedPackage> {
  const app = APP.test(path) && (await statNamed(path)).isFile() ? await inspectApp(path) : null;
  if (app !== null) {
    const manifest = { name: basename(path), version: app.version, manifestVersion: 0, geckoId: null, json: {} };
    return { ...(await measureZip(path)), manifest, format: app.format, discard: () => Promise.resolve() };
  }
  const manifest = await readManifest(path);
  if ((await stat(path)).isDirectory())
    return {
      ...(await zipFolder(path, ignoredInPackage(ignoreFiles), {
        leaveOutBy: LEAVE_OUT_OF_PACKAGE,
        named: namedIn(ignoreFiles),
        ...zipping,
      })),
      format: 'zip',
      manifest,
    };
  // The service explains the fault of a zip that cannot be unpacked.
  const contentSha256 = await contentDigest(path).catch(() => undefined);
  const format = (await isSignedPackage(path)) ? 'crx' : 'zip';
  return { ...(await measureZip(path)), format, contentSha256, manifest, discard: () => Promise.resolve() };
}

/** Apps, by their names. */
const APP = /\.(?:pkg|ipa)$/i;

/** The archive of the sources: what is named, perhaps by a pattern, or a zip of the folder. @throws Error when there is none, or nothing in it */
export async function prepareSources(
  wanted: string,
  zipping?: Zipping,
): Promise<ZipOnDisk & Pick<PreparedPackage, 'discard'>> {
  const path = await newestOf(wanted);
  if ((await statNamed(path)).isDirectory()) {
    const gitignore = await textOf(path, '.gitignore');
    const named = namedIn(gitignore.split(/\r?\n/));
    return zipFolder(path, await ignoredBelow(path, gitignore), {
      leaveOutBy: LEAVE_OUT_OF_SOURCES,
      named,
      ...zipping,
    });
  }
  return { ...(await measureZip(path)), discard: () => Promise.resolve() };
}

const LEAVE_OUT_OF_PACKAGE = 'Leave it out with "ignoreFiles" in pierhead.json.';
const LEAVE_OUT_OF_SOURCES = 'Leave it out with a line in the .gitignore of that folder.';

/** Finds the files that stay out of the sources in a folder, by Git, or outside of a repository by its `.gitignore`. */
async function ignoredBelow(folder: string, gitignore: string): Promise<Ignores> {
  const byGit = await ignoredByGit(folder);
  const ignores = ignoredInSources(byGit === null ? gitignore : '');
  const hasToken = holdsNpmToken(await textOf(folder, '.npmrc'));
  return (path, isFolder) =>
    (hasToken && path === '.npmrc') || ignores(path, isFolder) || byGit?.(path, isFolder) === true;
}

const textOf = (folder: string, name: string): Promise<string> => readFile(join(folder, name), 'utf8').catch(() => '');

/** The paths that patterns take back in. Pure. */
const namedIn = (patterns: readonly string[]): readonly string[] =>
  patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1).replace(/^\//, ''));
