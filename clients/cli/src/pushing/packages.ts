import { resolve } from 'node:path';
import type { Build, BuiltPackage } from '../package/index.js';
import type { Project } from '../settings/project-file.js';
import type { StoreId } from '../stores.js';

/** Packages that were found for publishing, by store. */
export interface Packages {
  readonly build: Build | null;
  readonly packageOf: (store: StoreId) => string | null;
}

/**
 * Finds the packages of a project: what is named, or what pierhead.json says, or what the build made.
 * Paths of arguments are relative to where the user is, those of pierhead.json to its folder.
 */
export async function packagesOf(
  { folder, settings }: Project,
  cwd: string,
  named: string | undefined,
): Promise<Packages> {
  const { findBuild, packageFor } = await import('../package/index.js');
  if (named === undefined && typeof settings.package === 'object') return packagesByStore(folder, settings.package);
  const ofProject = typeof settings.package === 'string' ? settings.package : '';
  const build = await findBuild(named === undefined ? resolve(folder, ofProject) : resolve(cwd, named));
  return { build, packageOf: (store) => packageFor(build, store)?.path ?? null };
}

/** Only those to which a push goes must be built. */
async function packagesByStore(folder: string, paths: Readonly<Partial<Record<string, string>>>): Promise<Packages> {
  const { newestOf, packageFor } = await import('../package/index.js');
  const packages: BuiltPackage[] = [];
  const faults = new Map<string, unknown>();
  const add = async (store: StoreId, path: string): Promise<unknown> =>
    packages.push({ browser: store, path: await newestOf(resolve(folder, path)) });
  for (const [store, path] of Object.entries(paths))
    if (path !== undefined) await add(store as StoreId, path).catch((error: unknown) => faults.set(store, error));
  const packageOf = (store: StoreId): string | null => {
    if (faults.has(store)) throw faults.get(store);
    return packageFor({ packages }, store)?.path ?? null;
  };
  return { build: null, packageOf };
}
