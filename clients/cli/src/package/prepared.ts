import { stat } from 'node:fs/promises';
import { ignoredInPackage, ignoredInSources } from './ignored.js';
import { type Manifest, readManifest } from './manifest.js';
import { type ZipOnDisk, zipFolder, type Zipping } from './zip-folder.js';
import { measureZip } from './zip-reader.js';

/** A package that is ready to be sent. */
export interface PreparedPackage extends ZipOnDisk {
  readonly manifest: Manifest;
  /** Deletes what was made for it, and nothing that was there before. */
  discard(): Promise<void>;
}

/**
 * Makes a zip of a folder, or takes a zip as it is, and reads its manifest.
 * @param ignoreFiles see `ignoredInPackage`
 * @throws Error that says what is wrong with the package
 */
export async function preparePackage(
  path: string,
  ignoreFiles: readonly string[] = [],
  zipping?: Zipping,
): Promise<PreparedPackage> {
  const manifest = await readManifest(path);
  if ((await stat(path)).isDirectory())
    return { ...(await zipFolder(path, ignoredInPackage(ignoreFiles), zipping)), manifest };
  return { ...(await measureZip(path)), manifest, discard: () => Promise.resolve() };
}

/** The archive of the sources: what is named, or a zip of the folder. @throws Error when there is none, or nothing in it */
export async function prepareSources(
  path: string,
  zipping?: Zipping,
): Promise<ZipOnDisk & Pick<PreparedPackage, 'discard'>> {
  if ((await stat(path)).isDirectory()) return zipFolder(path, ignoredInSources, zipping);
  return { ...(await measureZip(path)), discard: () => Promise.resolve() };
}
