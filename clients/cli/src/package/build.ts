import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { readWebExt } from '../settings/web-ext-config.js';
import { STORES, type StoreId } from '../stores.js';
import { newestOf } from './patterns.js';
import { statNamed } from './stat-named.js';

/** The browsers that frameworks build for, as they name them: each has a store of the same name. */
const BROWSERS = STORES.join('|');

/** A zip or a folder with a manifest. */
export interface BuiltPackage {
  readonly path: string;
  /** The browser that it was built for; null for all. */
  readonly browser: StoreId | null;
}

/** A package that was found for publishing. */
export interface Build {
  /** The tool that made it, for sentences; null where that does not show. */
  readonly framework: 'WXT' | 'Plasmo' | null;
  /** One per browser, or one for all. */
  readonly packages: readonly BuiltPackage[];
  /** Path that finds the package again after the next build: the project, or the zip or folder itself. */
  readonly from: string;
  /** The sources for Firefox's reviewers, where the framework has packed them; null for none. */
  readonly sources: string | null;
}

/** Folders and names of packages for several browsers. WXT and Plasmo build for production under these names only. */
interface Layout {
  readonly framework: Build['framework'];
  readonly folder: string;
  readonly zip?: RegExp;
  readonly unpacked: RegExp;
}
const LAYOUTS: readonly Layout[] = [
  {
    framework: 'WXT',
    folder: '.output',
    zip: new RegExp(String.raw`-(${BROWSERS})\.zip$`),
    unpacked: new RegExp(`^(${BROWSERS})-mv[23]$`),
  },
  {
    framework: 'Plasmo',
    folder: 'build',
    zip: new RegExp(String.raw`^(${BROWSERS})-mv[23]-prod\.zip$`),
    unpacked: new RegExp(`^(${BROWSERS})-mv[23]-prod$`),
  },
  // As Extension.js names them, and vite-plugin-web-extension in its guide.
  { framework: null, folder: 'dist', unpacked: new RegExp(`^(chromium|${BROWSERS})$`) },
];
const SOURCES = /-sources\.zip$/;
/** Folders into which bundlers put it. A project with such a folder is not itself what is published. */
const OUTPUT_FOLDERS = ['dist', 'build', ''];

/**
 * Finds what is to be published: a zip or folder that is named, or in a project what WXT, Plasmo or a bundler built last.
 * @param path a zip, a folder with a manifest, a project, or the folder that it builds in; may be a pattern
 * @throws Error when nothing is found, which says where was looked
 */
export async function findBuild(named: string): Promise<Build> {
  const path = await newestOf(named);
  const single = (at: string): Build => ({
    framework: null,
    packages: [{ path: at, browser: null }],
    from: at === path ? named : at,
    sources: null,
  });
  if (!(await statNamed(path)).isDirectory()) return single(path);
  for (const layout of LAYOUTS) {
    // The folder itself may be named, as in `pierhead push .output`.
    const folders = [join(path, layout.folder), ...(basename(resolve(path)) === layout.folder ? [path] : [])];
    for (const folder of folders) {
      const build = await buildIn(folder, layout);
      if (build.packages.length > 0) return { ...build, from: folder === path ? dirname(resolve(path)) : path };
    }
  }
  for (const folder of [...(await sourceDirOf(path)), ...OUTPUT_FOLDERS])
    if (await exists(join(path, folder, 'manifest.json'))) return single(join(path, folder));
  throw new Error(
    `${path} has nothing to publish: there is no manifest.json in it, in dist or build, or in a folder of dist for a browser, nothing of WXT in .output, and nothing of Plasmo in build. ` +
      'Build the extension first, or name a zip or a folder.',
  );
}

/** The package that a store gets; null when there is none for its browser. Edge takes what was built for Chrome. */
export function packageFor({ packages }: Pick<Build, 'packages'>, store: string): BuiltPackage | null {
  const builtFor = (browser: string | null): BuiltPackage | undefined =>
    packages.find((each) => each.browser === browser);
  return builtFor(null) ?? builtFor(store) ?? (store === 'edge' ? builtFor('chrome') : undefined) ?? null;
}

/** The folder that the settings of web-ext name. */
async function sourceDirOf(project: string): Promise<readonly string[]> {
  const named = (await readWebExt(project, {})).map(({ values }) => values['sourceDir']);
  return named.filter((each) => typeof each === 'string').slice(-1);
}

async function buildIn(folder: string, { framework, zip, unpacked }: Layout): Promise<Omit<Build, 'from'>> {
  const names = await readdir(folder).catch(() => []);
  const candidates = await Promise.all(
    names.map(async (name) => {
      const named = (zip?.exec(name) ?? unpacked.exec(name))?.[1];
      const browser = named === 'chromium' ? 'chrome' : (named as StoreId | undefined);
      // A folder's own time changes with its entries only, and its manifest's with each build.
      const file = browser !== undefined && unpacked.test(name) ? join(name, 'manifest.json') : name;
      const at = await stat(join(folder, file)).catch(() => null);
      return { path: join(folder, name), name, browser, builtAt: at?.mtimeMs ?? null };
    }),
  );
  const newestFirst = candidates
    .filter((each) => each.builtAt !== null)
    .sort((one, other) => Number(other.builtAt) - Number(one.builtAt));
  const packages = STORES.flatMap((browser) => {
    const newest = newestFirst.find((each) => each.browser === browser);
    return newest === undefined ? [] : [{ path: newest.path, browser }];
  });
  return { framework, packages, sources: newestFirst.find(({ name }) => SOURCES.test(name))?.path ?? null };
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
