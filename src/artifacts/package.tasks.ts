/** What is done with the inside of packages, in the worker thread. Loads neither Nest nor TypeORM. */
import { compareVersions, isVersion, preflight, type PackageFormat, type StoreFinding } from '../stores/pure.js';
import {
  InvalidArchive,
  InvalidManifest,
  packIndex,
  unpackIndex,
  type PackageIndex,
  type PackageManifest,
} from './archive/index.js';
import { inspectApp, type AppPackage } from './archive/app/pure.js';
import { inspectArchive, readIndex } from './archive/inspect-archive.js';
import * as packages from './comparison/compare-packages.js';
import { differencesOf, type ServedDifferences } from './comparison/served-differences.js';

/** Why a package cannot be read, in one sentence, and whether its manifest is at fault. */
export interface PackageFault {
  readonly kind: 'fault';
  readonly isOfManifest: boolean;
  readonly message: string;
}

/** What is kept of a zip, and what stores would find in it. */
export interface ReadZip {
  readonly kind: 'zip';
  readonly format: PackageFormat;
  readonly manifest: PackageManifest;
  readonly contentSha256: string;
  readonly index: Uint8Array;
  readonly icon: Uint8Array | null;
  readonly findings: readonly StoreFinding[];
}

type ReadApp = AppPackage & { readonly kind: 'app' };

/** Reads a package, and judges a zip by the rules of all stores. @param mayBeApp whether it goes to a store that takes signed apps */
export const readPackage = (input: {
  readonly path: string;
  readonly mayBeApp: boolean;
}): Promise<ReadZip | ReadApp | PackageFault> =>
  orFault(async () => {
    const app = input.mayBeApp ? await inspectApp(input.path) : null;
    if (app !== null) return { ...app, kind: 'app' };
    const { format, manifest, contentSha256, index, icon, facts } = await inspectArchive(input.path);
    const packed = await packIndex(index);
    return { kind: 'zip', format, manifest, contentSha256, index: packed, icon, findings: preflight(facts) };
  });

/** A package of which only the index was kept. */
export interface KeptPackage {
  readonly manifest: PackageManifest;
  readonly index: Uint8Array;
}

/** Says what changed from one package to another. */
export async function comparePackages({
  before,
  after,
}: {
  readonly before: KeptPackage;
  readonly after: KeptPackage;
}): Promise<packages.PackageDifferences> {
  return packages.comparePackages(await unpacked(before), await unpacked(after));
}

/** Compares a file that a store serves as a version with the package that it was sent, which may be of an older one. */
export const compareServed = (input: {
  readonly path: string;
  readonly version: string;
  readonly sent: { readonly version: string; readonly index: Uint8Array };
}): Promise<
  | { readonly kind: 'compared'; readonly differences: ServedDifferences | null }
  | { readonly kind: 'other' }
  | PackageFault
> =>
  orFault(async () => {
    const { path, version, sent } = input;
    const served: PackageIndex = await readIndex(path);
    const { version: found } = served.manifest;
    if (typeof found !== 'string' || !isVersion(found) || compareVersions(found, version) !== 0)
      return { kind: 'other' };
    const isRenumbered = compareVersions(sent.version, version) !== 0;
    return { kind: 'compared', differences: differencesOf(await unpackIndex(sent.index), served, isRenumbered) };
  });

const unpacked = async ({ manifest, index }: KeptPackage): Promise<packages.ComparedPackage> => ({
  manifest,
  index: await unpackIndex(index),
});

/** The class of an error would be lost between threads. */
async function orFault<Read>(read: () => Promise<Read>): Promise<Read | PackageFault> {
  try {
    return await read();
  } catch (error) {
    const isOfManifest = error instanceof InvalidManifest;
    if (!isOfManifest && !(error instanceof InvalidArchive)) throw error;
    return { kind: 'fault', isOfManifest, message: error.message };
  }
}
