import { findBuild, packageFor, readManifest, type Build } from '../package/index.js';

export type Manifest = Awaited<ReturnType<typeof readManifest>>;

/** The package to publish. */
export interface FoundPackage {
  readonly build: Build;
  /** Of the package that Chrome gets, else of the first. */
  readonly manifest: Manifest;
  readonly path: string;
  readonly geckoId: string | null;
}

/** Finds what a project has built, and reads it. @throws Error with the searched places, or the fault of the manifest */
export async function findPackage(path: string): Promise<FoundPackage> {
  const build = await findBuild(path);
  const chosen = packageFor(build, 'chrome') ?? build.packages[0];
  if (chosen === undefined) throw new Error(`${path} has nothing to publish.`);
  const manifest = await readManifest(chosen.path);
  const ofFirefox = packageFor(build, 'firefox');
  const { geckoId } = ofFirefox === null || ofFirefox === chosen ? manifest : await readManifest(ofFirefox.path);
  return { build, manifest, path: chosen.path, geckoId };
}

/** Firefox's id of the add-on, where something is built that has one. */
export async function geckoIdOf(folder: string): Promise<string | null> {
  try {
    return (await findPackage(folder)).geckoId;
  } catch {
    // A store can be connected before anything is built.
    return null;
  }
}
