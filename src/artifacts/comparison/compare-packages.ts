import { isDeepStrictEqual } from 'node:util';
import { quotable } from '../../common/net/pure.js';
import { isObject, newAccessOf, type JsonObject, type PackageIndex, type PackageManifest } from '../archive/index.js';

/** Entries of one kind that an answer lists; it counts the others. */
export const MAX_CHANGES = 500;

/** Characters of a manifest's value that are shown. */
const MAX_VALUE = 300;

/** Keys whose values are compared as permissions and sites. */
const ACCESS_KEYS: ReadonlySet<string> = new Set([
  'permissions',
  'host_permissions',
  'optional_permissions',
  'optional_host_permissions',
]);

/** A package with what is known of it. */
export interface ComparedPackage {
  readonly manifest: PackageManifest;
  readonly index: PackageIndex;
}

/** Entries that one list has and the other lacks. */
interface Difference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** A key of the manifest with its values as JSON; null where it is absent. */
interface KeyChange {
  readonly key: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** A file with its sizes in bytes; null where it is absent. */
interface FileChange {
  readonly path: string;
  readonly before: number | null;
  readonly after: number | null;
}

/** Differences between two packages. */
export interface PackageDifferences {
  readonly permissions: Difference;
  readonly hosts: Difference;
  readonly optional: Difference;
  /** What Chrome asks users to accept at the update: permissions, in its words, and sites. */
  readonly warnings: readonly string[];
  readonly manifest: { readonly changed: number; readonly items: readonly KeyChange[] };
  readonly files: {
    readonly added: number;
    readonly removed: number;
    readonly changed: number;
    readonly items: readonly FileChange[];
  };
}

/** Compares two packages by their manifests, and by the digests of their files. Pure. */
export function comparePackages(before: ComparedPackage, after: ComparedPackage): PackageDifferences {
  const keys = changedKeys(before.index.manifest, after.index.manifest);
  const [older, newer] = [before.manifest, after.manifest];
  return {
    permissions: difference(older.permissions, newer.permissions),
    hosts: difference(older.hostPermissions, newer.hostPermissions),
    optional: difference(older.optionalPermissions, newer.optionalPermissions),
    warnings: newAccessOf(older, newer),
    manifest: { changed: keys.length, items: keys.slice(0, MAX_CHANGES).map(shown) },
    files: changedFiles(before.index.files, after.index.files),
  };
}

function difference(before: readonly string[], after: readonly string[]): Difference {
  const [had, has] = [new Set(before), new Set(after)];
  return {
    added: after.filter((one) => !had.has(one)).slice(0, MAX_CHANGES),
    removed: before.filter((one) => !has.has(one)).slice(0, MAX_CHANGES),
  };
}

/** A value of the manifest before and after; `undefined` where it is absent. */
type ChangedKey = readonly [key: string, before: unknown, after: unknown];

/** The keys whose values differ, by their paths; lists are compared as a whole. */
function changedKeys(before: JsonObject, after: JsonObject, prefix = ''): readonly ChangedKey[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name): readonly ChangedKey[] => {
    const [key, older, newer] = [`${prefix}${name}`, before[name], after[name]];
    if (isDeepStrictEqual(older, newer) || (ACCESS_KEYS.has(key) && [older, newer].every(isAccess))) return [];
    return isObject(older) && isObject(newer) ? changedKeys(older, newer, `${key}.`) : [[key, older, newer]];
  });
}

/** A permission with parameters is an object, of which only the name is compared elsewhere. */
const isAccess = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.every((one) => typeof one === 'string'));

const shown = ([key, before, after]: ChangedKey): KeyChange => ({
  key: quotable(key, MAX_VALUE),
  before: jsonOf(before),
  after: jsonOf(after),
});

const jsonOf = (value: unknown): string | null =>
  value === undefined ? null : quotable(JSON.stringify(value), MAX_VALUE);

function changedFiles(before: PackageIndex['files'], after: PackageIndex['files']): PackageDifferences['files'] {
  const older = new Map(before.map((file) => [file.path, file]));
  const newer = new Map(after.map((file) => [file.path, file]));
  const changes = [...new Set([...older.keys(), ...newer.keys()])].toSorted().flatMap((path): readonly FileChange[] => {
    const [one, other] = [older.get(path), newer.get(path)];
    if (one?.sha256 === other?.sha256) return [];
    return [{ path, before: one?.size ?? null, after: other?.size ?? null }];
  });
  const added = changes.filter((change) => change.before === null).length;
  const removed = changes.filter((change) => change.after === null).length;
  return { added, removed, changed: changes.length - added - removed, items: changes.slice(0, MAX_CHANGES) };
}
