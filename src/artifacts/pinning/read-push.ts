import { compareVersions, type PackageFormat, resized, type StoreFinding } from '../../stores/index.js';
import { InvalidArchive, InvalidManifest, type PackageManifest, parseManifest } from '../archive/index.js';
import { InvalidPackage, InvalidPackageManifest, VersionMismatch } from '../artifacts.problems.js';
import type { PackageRead, PackageReader, ReceivedPackage } from '../packages/index.js';
import type { Build, Content } from './versions.service.js';

/** A push: its content and manifest, or neither where a store needs no package. */
export interface Pushed {
  readonly act: 'push' | 'pin';
  /** The build that an app is; null for anything else. */
  readonly app: (Build & { readonly version: string }) | null;
  readonly received: (Content & Pick<ReceivedPackage, 'size'> & { readonly format: PackageFormat }) | null;
  readonly manifest: PackageManifest | null;
  /** Findings in the content as a zip of so many bytes; null where no package was judged. */
  readonly judge: ((size: number) => StoreFinding[]) | null;
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

/** How a package is read. */
interface Reading {
  readonly reader: PackageReader;
  /** It goes to a store that takes apps. */
  readonly mayBeApp: boolean;
  /** Another judge of a zip, who is told what the rules found. */
  readonly lint: Lint;
}

/**
 * Reads a package that has arrived in a file.
 * @param version that is pushed
 * @throws InvalidPackage, InvalidPackageManifest, PackageTooCostly, VersionMismatch
 */
export async function readPush(
  path: string,
  received: ReceivedPackage,
  version: string,
  { reader, mayBeApp, lint }: Reading,
): Promise<ReadPush> {
  const found = await reader.read(path, mayBeApp);
  if (found.kind === 'app') {
    if (compareVersions(found.version, version) !== 0) throw new VersionMismatch(version, found.version, 'app');
    // Its signature makes each build another content.
    const content = { ...received, contentSha256: received.sha256, format: found.format };
    return { pushed: { act: 'push', app: found, received: content, manifest: null, judge: null }, read: null };
  }
  const { format, manifest, contentSha256, findings, index, icon } = found;
  if (manifest.version !== version && manifest.versionName !== version)
    throw new VersionMismatch(version, manifest.version);
  const linted = format === 'zip' ? await lint(findings) : [];
  const judge = (size: number): StoreFinding[] => [
    ...(size === received.size ? findings : resized(findings, size)),
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
    if (error instanceof InvalidArchive) throw new InvalidPackage(error.message);
    if (error instanceof InvalidManifest) throw new InvalidPackageManifest(error.message);
    throw error;
  }
}
