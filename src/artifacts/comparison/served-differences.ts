import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { IndexedFile, JsonObject, PackageIndex } from '../archive/index.js';

/** Of the store and the browser alone (`kMetadataFolder` of https://chromium.googlesource.com/chromium/src/+/main/extensions/common/constants.h). */
const STORES_FOLDER = '_metadata/';

/**
 * Keys of a manifest that are the store's to write. Chrome was measured to add the first
 * (https://github.com/nulo-sh/nulo/blob/main/scripts/release/store-copy.ts); the others stand in served manifests too
 * (src/stores/README.md#chrome-served-files). What Edge writes is not known (src/stores/README.md#edge-update-check).
 */
const STORES_KEYS: readonly string[] = ['update_url', 'key', 'differential_fingerprint'];

/** Keys with the number of the version, which a store rewrites when it serves an older package under a new one. */
const VERSION_KEYS: readonly string[] = ['version', 'version_name'];

/** Names that Chromium leaves out of a package, of which Chrome's store was measured to leave out .gitkeep (https://chromium.googlesource.com/chromium/src/+/main/extensions/browser/extension_creator_filter.cc). */
const LEFT_OUT = /^(?:__MACOSX|desktop\.ini|Thumbs\.db|\..*|.*~|#.*#)$/;

/** Paths of files that differ, in order. */
export interface ServedDifferences {
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly missing: readonly string[];
  /** Of the served files that differ: the same while the store serves the same. */
  readonly digest: string;
}

/**
 * Compares the package that a store serves with the one that it was sent, apart from what stores add and rewrite. Pure.
 * @param isRenumbered the store was told to serve the package under another number
 * @returns null where they are the same
 */
export function differencesOf(
  sent: PackageIndex,
  served: PackageIndex,
  isRenumbered: boolean,
): ServedDifferences | null {
  const before = byPath(sent.files);
  const after = byPath(served.files);
  const isManifestSame = isDeepStrictEqual(
    ownPart(sent.manifest, isRenumbered),
    ownPart(served.manifest, isRenumbered),
  );
  const isSame = ({ path, sha256 }: IndexedFile): boolean =>
    path === 'manifest.json' ? isManifestSame : before.get(path)?.sha256 === sha256;
  const differing = [...after.values()].filter((file) => !isSame(file));
  const changed = differing.filter(({ path }) => before.has(path));
  const added = differing.filter(({ path }) => !before.has(path));
  const missing = [...before.values()].filter(({ path }) => !after.has(path) && !isLeftOut(path));
  if (changed.length + added.length + missing.length === 0) return null;
  return {
    changed: pathsOf(changed),
    added: pathsOf(added),
    missing: pathsOf(missing),
    digest: digestOf([...changed, ...added], missing),
  };
}

const byPath = (files: readonly IndexedFile[]): ReadonlyMap<string, IndexedFile> =>
  new Map(files.filter(({ path }) => !path.startsWith(STORES_FOLDER)).map((file) => [file.path, file]));

/** The manifest without what is the store's, as plain JSON: only then are equal ones deeply equal. */
function ownPart(manifest: JsonObject, isRenumbered: boolean): unknown {
  const others = new Set(isRenumbered ? [...STORES_KEYS, ...VERSION_KEYS] : STORES_KEYS);
  const own = Object.entries(manifest).filter(([key]) => !others.has(key));
  return JSON.parse(JSON.stringify(own.toSorted(([one], [other]) => (one < other ? -1 : 1))));
}

const isLeftOut = (path: string): boolean => path.split('/').some((name) => LEFT_OUT.test(name));

const pathsOf = (files: readonly IndexedFile[]): readonly string[] => files.map(({ path }) => path).toSorted();

function digestOf(served: readonly IndexedFile[], missing: readonly IndexedFile[]): string {
  const lines = [...served.map(({ path, sha256 }) => `${path}\0${sha256}`), ...pathsOf(missing)].toSorted();
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}
