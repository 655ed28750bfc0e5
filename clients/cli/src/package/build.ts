import { readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { statNamed } from './stat-named.js';

/** The browsers that frameworks build for. */
const BROWSERS = ['chrome', 'firefox', 'edge', 'safari'] as const;
type Browser = (typeof BROWSERS)[number];

/** A zip or a folder with a manifest. */
export interface BuiltPackage {
  readonly path: string;
  /** The browser that it was built for; null for all. */
  readonly browser: Browser | null;
}

/** What was found to be published. */
export interface Build {
  /** Who made it, for sentences; null where that does not show. */
  readonly framework: 'WXT' | 'Plasmo' | null;
  /** One per browser, or one for all. */
  readonly packages: readonly BuiltPackage[];
  /** The sources for Firefox's reviewers, where the framework has packed them; null for none. */
  readonly sources: string | null;
}

/** Where a framework puts what it builds, and how that is named. Both build for production under these names only. */
interface Layout {
  readonly framework: 'WXT' | 'Plasmo';
  readonly folder: string;
  readonly zip: RegExp;
  readonly unpacked: RegExp;
}
const LAYOUTS: readonly Layout[] = [
  {
    framework: 'WXT',
    folder: '.output',
    zip: /-(chrome|firefox|edge|safari)\.zip$/,
    unpacked: /^(chrome|firefox|edge|safari)-mv[23]$/,
  },
  {
    framework: 'Plasmo',
    folder: 'build',
    zip: /^(chrome|firefox|edge|safari)-mv[23]-prod\.zip$/,
    unpacked: /^(chrome|firefox|edge|safari)-mv[23]-prod$/,
  },
];
const SOURCES = /-sources\.zip$/;
/** Where bundlers put it. A project with such a folder is not itself what is published. */
const OUTPUT_FOLDERS = ['dist', 'build', ''];

/**
 * Finds what is to be published: a zip or folder that is named, or in a project what WXT, Plasmo or a bundler built last.
 * @param path a zip, a folder with a manifest, a project, or the folder that WXT or Plasmo builds in
 * @throws Error when nothing is found, which says where was looked
 */
export async function findBuild(path: string): Promise<Build> {
  const single = (at: string): Build => ({ framework: null, packages: [{ path: at, browser: null }], sources: null });
  if (!(await statNamed(path)).isDirectory()) return single(path);
  for (const layout of LAYOUTS) {
    // The folder itself may be named, as in `pierhead push .output`.
    const folders = [join(path, layout.folder), ...(basename(resolve(path)) === layout.folder ? [path] : [])];
    for (const folder of folders) {
      const build = await buildIn(folder, layout);
      if (build.packages.length > 0) return build;
    }
  }
  for (const folder of OUTPUT_FOLDERS)
    if (await exists(join(path, folder, 'manifest.json'))) return single(join(path, folder));
  throw new Error(
    `${path} has nothing to publish: there is no manifest.json in it or in dist, nothing of WXT in .output, and nothing of Plasmo in build. ` +
      'Build the extension first, or name a zip or a folder.',
  );
}

/** The package that a store gets; null when there is none for its browser. Edge takes what was built for Chrome. */
export function packageFor({ packages }: Build, store: string): BuiltPackage | null {
  const builtFor = (browser: string | null): BuiltPackage | undefined =>
    packages.find((each) => each.browser === browser);
  return builtFor(null) ?? builtFor(store) ?? (store === 'edge' ? builtFor('chrome') : undefined) ?? null;
}

async function buildIn(folder: string, { framework, zip, unpacked }: Layout): Promise<Build> {
  const names = await readdir(folder).catch(() => []);
  const candidates = await Promise.all(
    names.map(async (name) => {
      const browser = (zip.exec(name) ?? unpacked.exec(name))?.[1] as Browser | undefined;
      // A folder's own time changes with its entries only, and its manifest's with each build.
      const file = browser !== undefined && unpacked.test(name) ? join(name, 'manifest.json') : name;
      const at = await stat(join(folder, file)).catch(() => null);
      return { path: join(folder, name), name, browser, builtAt: at?.mtimeMs ?? null };
    }),
  );
  const newestFirst = candidates
    .filter((each) => each.builtAt !== null)
    .sort((one, other) => Number(other.builtAt) - Number(one.builtAt));
  const packages = BROWSERS.flatMap((browser) => {
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
