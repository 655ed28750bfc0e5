import { Semaphore } from '../../common/jobs/index.js';
import { compareVersions, type PackageFormat, storeByStore, type StoreFinding } from '../../stores/index.js';
import {
  inspectApp,
  inspectArchive,
  InvalidArchive,
  InvalidManifest,
  inTurns,
  packIndex,
  type PackageManifest,
  parseManifest,
} from '../archive/index.js';
import { InvalidPackage, InvalidPackageManifest, VersionMismatch } from '../artifacts.problems.js';
import type { PackageRead, ReceivedPackage } from '../packages/index.js';
import type { Build, Content } from './versions.service.js';

/** Packages that are unpacked at once by this process: this is work for a core, and pushes must not take all of them. */
const UNPACKED_AT_ONCE = new Semaphore(2);

/** A push: its content and manifest, or neither where a store needs no package. */
export interface Pushed {
  readonly act: 'push' | 'pin';
  /** The build that an app is; null for anything else. */
  readonly app: (Build & { readonly version: string }) | null;
  readonly received: (Content & Pick<ReceivedPackage, 'size'> & { readonly format: PackageFormat }) | null;
  readonly manifest: PackageManifest | null;
  /** Findings in the content as a zip of so many bytes; null where no package was judged. */
  readonly judge: ((size: number) => Promise<StoreFinding[]>) | null;
}

/** Of a version without a package. */
export const NOTHING: Omit<Pushed, 'act'> = { app: null, received: null, manifest: null, judge: null };

/** The version as stores show it: the package's own, or the one that is pushed. */
export const storeVersionOf = ({ app, manifest }: Pushed, version: string): string =>
  app?.version ?? manifest?.version ?? version;

type Lint = (found: readonly StoreFinding[]) => Promise<readonly StoreFinding[]>;

/** A package that was read, and what is kept beside its file; null for an app. */
interface ReadPush {
  readonly pushed: Pushed;
  readonly read: PackageRead | null;
}

/**
 * Reads a package that has arrived in a file.
 * @param version that is pushed
 * @param how whether it may be an app, as it goes to a store that takes apps; and another judge of a zip, who is told what the rules found
 * @throws InvalidPackage, InvalidPackageManifest, VersionMismatch
 */
export async function readPush(
  path: string,
  received: ReceivedPackage,
  version: string,
  { mayBeApp, lint }: { readonly mayBeApp: boolean; readonly lint: Lint },
): Promise<ReadPush> {
  const app = mayBeApp ? await UNPACKED_AT_ONCE.run(() => inspectApp(path)).catch(asProblem) : null;
  if (app === null) return readZip(path, received, version, lint);
  if (compareVersions(app.version, version) !== 0) throw new VersionMismatch(version, app.version, 'app');
  // Its signature makes each build another content.
  const content = { ...received, contentSha256: received.sha256, format: app.format };
  return { pushed: { act: 'push', app, received: content, manifest: null, judge: null }, read: null };
}

async function readZip(path: string, received: ReceivedPackage, version: string, lint: Lint): Promise<ReadPush> {
  const inspected = await UNPACKED_AT_ONCE.run(() => inspectArchive(path)).catch(asProblem);
  const { format, manifest, facts, contentSha256, icon } = inspected;
  const index = await packIndex(inspected.index);
  if (manifest.version !== version && manifest.versionName !== version)
    throw new VersionMismatch(version, manifest.version);
  const found = await inTurns(storeByStore(facts));
  const linted = format === 'zip' ? await lint(found) : [];
  const judge = async (size: number): Promise<StoreFinding[]> => [
    ...(size === received.size ? found : await inTurns(storeByStore({ ...facts, size }))),
    ...linted,
  ];
  return {
    pushed: { act: 'push', app: null, received: { ...received, format, contentSha256 }, manifest, judge },
    read: { index, icon },
  };
}

/** Reads a manifest that was sent by itself. @throws InvalidPackage, InvalidPackageManifest */
export function readManifest(json: object): PackageManifest {
  try {
    return parseManifest(JSON.stringify(json)).manifest;
  } catch (error) {
    return asProblem(error);
  }
}

/** Throws the problem that reports a faulty package, or the error itself. */
function asProblem(error: unknown): never {
  if (error instanceof InvalidArchive) throw new InvalidPackage(error.message);
  if (error instanceof InvalidManifest) throw new InvalidPackageManifest(error.message);
  throw error;
}
