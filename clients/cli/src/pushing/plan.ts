import { relative, resolve } from 'node:path';
import { answer, isId, type Service } from '../api/service.js';
import type { Context } from '../context.js';
import { asFailure, EXIT, Failure, usageFailure } from '../failure.js';
import type { Build, PreparedPackage, Zipping } from '../package/index.js';
import { findExtension, type Extension } from '../publishing/extensions.js';
import { isSameVersion } from '../publishing/goal.js';
import { listTargets, storeOf, type Target } from '../publishing/targets.js';
import type { Project } from '../settings/project-file.js';
import { storeName, STORES, storesThat, type StoreId } from '../stores.js';
import { bytes, list } from '../terminal/words.js';
import { readNotes, type NotesOptions } from './notes.js';
import { packagesOf } from './packages.js';
import { isLarge, withProgress } from './progress.js';
import { partsOf, type Part } from './parts.js';
import { isApp, type Sending } from './requests.js';

/** The store whose reviewers want sources. */
export const SOURCES_STORE: StoreId = 'firefox';

/** A push as its options describe it; pierhead.json has the rest. */
export interface PushOptions extends NotesOptions {
  readonly extension?: string;
  readonly store?: readonly string[];
  readonly target?: string;
  readonly sources?: string;
  readonly commit?: string;
}

/** Plan of a push, before anything is sent. */
export interface Plan {
  readonly extension: Pick<Extension, 'id' | 'name'>;
  readonly sendings: readonly Sending[];
  /** The targets that receive it; null where the token may not read them. */
  readonly targets: readonly Target[] | null;
  /** Reasons that pierhead.json lacks, or no longer needs. */
  readonly unjustified: readonly string[];
  readonly sources: (PreparedSources & { readonly discard: () => Promise<void> }) | null;
}

interface PreparedSources {
  readonly path: string;
  readonly size: number;
}

/** The stores that are named; a signed package that is named is for Chrome, an app for the App Store. */
function namedStores(named: string | undefined, { store }: PushOptions): readonly StoreId[] | undefined {
  if (store === undefined && named !== undefined && /\.crx$/i.test(named)) return storesThat('signedPackages');
  if (store === undefined && named !== undefined && /\.(?:pkg|ipa)$/i.test(named)) return storesThat('appPackages');
  return store?.map(storeOf);
}

/** Finds out what to send where, and makes the zips. */
export async function prepare(
  context: Context,
  service: Service,
  named: string | undefined,
  options: PushOptions,
): Promise<Plan> {
  const { terminal, surroundings } = context;
  const project = await context.project(named);
  const { justifications } = project.settings;
  const commit = (await import('./commit.js')).commitOf(options.commit, surroundings.env);
  const texts = { ...(await readNotes(context, project, options)), justifications, commit };
  const extension = await extensionOf(service, options.extension, project);
  const all = await readTargets(service, extension.id);
  const { destinationOf } = await import('./destination.js');
  const { stores, target } = destinationOf(
    all,
    { stores: namedStores(named, options), target: options.target },
    project.settings,
  );
  const isMeant = ({ id, store }: Target): boolean =>
    (stores?.includes(store) ?? true) && (target?.store !== store || target.id === id);
  const targets = all?.filter((each) => each.enabled && isMeant(each)) ?? null;
  const { build, packageOf } = await packagesOf(project, surroundings.cwd, named);
  const parts = partsOf({
    packageOf,
    stores: STORES.filter(
      (store) => stores?.includes(store) ?? (all === null || all.some((each) => each.enabled && each.store === store)),
    ),
    isEverywhere: stores === null,
    withoutPackage: await storesWithoutPackage(service),
  });
  if ('unpackaged' in parts)
    throw new Failure(`The build has no package for ${list(parts.unpackaged.map(storeName))}.`, {
      hint: 'Name the stores with --store, or their packages in pierhead.json.',
    });
  const { preparePackage, prepareSources } = await import('../package/index.js');
  const { ignoreFilesOf } = await import('../settings/web-ext-config.js');
  const { env, cwd } = surroundings;
  const notes = [options.notesFile, options.reviewerNotesFile].flatMap((file) =>
    file === undefined ? [] : resolve(cwd, file),
  );
  const prepared = new Map<string, PreparedPackage>();
  try {
    for (const { path } of parts) {
      if (path === null || prepared.has(path)) continue;
      const ignoreFiles = await ignoreFilesOf(project, env, path, notes);
      prepared.set(
        path,
        await packing(context, 'the package', (zipping) => preparePackage(path, ignoreFiles, zipping)),
      );
    }
    const [first] = prepared.values();
    if (first === undefined)
      throw new Failure(`${extension.name} is not published at any store yet.`, {
        hint: 'Connect a store with: pierhead connect',
      });
    assertOneVersion(prepared, cwd);
    assertTaken(parts, prepared, cwd);
    for (const { manifest, size, sha256 } of new Set(prepared.values()))
      terminal.note(`${manifest.name} ${manifest.version}   ${bytes(size)}   sha256 ${sha256.slice(0, 12)}…`);
    const sendings = parts.map(({ path, store }) => {
      const own = path === null ? null : (prepared.get(path) ?? null);
      const { version } = (own ?? first).manifest;
      const from = path === null ? null : relative(cwd, path) || '.';
      const targetId = target !== null && target.store === store ? target.id : null;
      return { extensionId: extension.id, store, targetId, version, from, prepared: own, ...texts };
    });
    const goesToReviewers = targets === null || targets.some(({ store }) => store === SOURCES_STORE);
    const sources = goesToReviewers ? sourcesOf(project, cwd, options.sources, build) : null;
    return {
      extension,
      sendings,
      targets,
      unjustified: await unjustifiedIn(project, targets, [...prepared.values()]),
      sources:
        sources === null ? null : await packing(context, 'the sources', (zipping) => prepareSources(sources, zipping)),
    };
  } catch (error) {
    // Packages that exist already would stay behind.
    for (const each of prepared.values()) await each.discard();
    throw error;
  }
}

/** Packages of several versions are an old build beside a new one. @throws Failure that names two of them */
function assertOneVersion(prepared: ReadonlyMap<string, PreparedPackage>, cwd: string): void {
  const [first, ...others] = [...prepared].map(([path, { manifest }]) => ({
    name: relative(cwd, path),
    version: manifest.version,
  }));
  const other = others.find(({ version }) => !isSameVersion(version, first?.version ?? null));
  if (first === undefined || other === undefined) return;
  throw usageFailure(
    `${first.name} is version ${first.version}, and ${other.name} is version ${other.version}. Nothing was pushed.`,
    'Build all packages of a version again, or push for some stores with --store.',
  );
}

/** @throws Failure for an app that would go to a store that takes none */
function assertTaken(parts: readonly Part[], prepared: ReadonlyMap<string, PreparedPackage>, cwd: string): void {
  const takers = storesThat('appPackages');
  const stray = parts.find(({ store, path }) => {
    const own = prepared.get(path ?? '');
    return own !== undefined && isApp(own) && (store === null || !takers.includes(store));
  });
  if (stray !== undefined)
    throw usageFailure(
      `${relative(cwd, stray.path ?? '')} is an app, which only ${list(takers.map(storeName))} takes. Nothing was pushed.`,
      `Push it with: --store ${takers.join(' ')}`,
    );
}

/** Packs, and shows how far it is where that takes seconds. */
const packing = <Packed>(
  { terminal, surroundings: { signal } }: Context,
  what: string,
  pack: (zipping: Zipping) => Promise<Packed>,
): Promise<Packed> =>
  withProgress(terminal, `Packing ${what}`, (show) =>
    pack({ signal, onProgress: (packed, all) => void (isLarge(all) && show(packed, all)) }),
  );

/** Matters to stores that ask for reasons. Loads the reader of packages only where pierhead.json gives some. */
async function unjustifiedIn(
  project: Project,
  targets: Plan['targets'],
  packages: readonly PreparedPackage[],
): Promise<readonly string[]> {
  const isAsked = targets === null || targets.some(({ privacyPage }) => privacyPage !== null);
  if (!isAsked || project.settings.justifications === undefined) return [];
  const { unjustified } = await import('../preflight/rules.js');
  return [...new Set(packages.flatMap((each) => unjustified(project, each)))];
}

/** A token that may push need not be allowed to read; then an id has to do. */
async function extensionOf(
  service: Service,
  named: string | undefined,
  project: Project,
): Promise<Pick<Extension, 'id' | 'name'>> {
  try {
    return await findExtension(service, named, project);
  } catch (error) {
    const wanted = named ?? project.settings.extension;
    if (asFailure(error).code !== 'insufficient_scope') throw error;
    if (wanted === undefined || !isId(wanted))
      throw new Failure('This token cannot look up extensions by name.', {
        exitCode: EXIT.notAllowed,
        hint: 'Name the extension by its id, or give the token the scope extensions:read.',
      });
    return { id: wanted, name: wanted };
  }
}

async function readTargets(service: Service, extensionId: string): Promise<readonly Target[] | null> {
  try {
    return await listTargets(service, extensionId);
  } catch (error) {
    if (asFailure(error).code === 'insufficient_scope') return null;
    throw error;
  }
}

async function storesWithoutPackage(service: Service): Promise<StoreId[]> {
  const { items } = await answer(service.client.GET('/api/v1/stores'));
  return items.filter(({ capabilities }) => !capabilities.requiresArtifact).map(({ id }) => id);
}

function sourcesOf(
  { folder, settings }: Project,
  cwd: string,
  named: string | undefined,
  build: Build | null,
): string | null {
  if (named !== undefined) return resolve(cwd, named);
  return settings.sources === undefined ? (build?.sources ?? null) : resolve(folder, settings.sources);
}
