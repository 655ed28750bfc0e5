import { basename } from 'node:path';
import { answer, type Schema, type Service } from '../api/service.js';
import type { Content, OnProgress } from '../api/upload.js';
import type { PreparedPackage } from '../package/index.js';
import type { PushedFinding } from '../preflight/findings.js';
import type { ProjectSettings } from '../settings/project-settings.js';
import type { StoreId } from '../stores.js';
import type { Notes } from './notes.js';

export type Artifact = Schema<'Artifact'>;

/** A package that is ready to be sent, and where to. */
export interface Sending extends Notes {
  readonly extensionId: string;
  /** Null for every target. */
  readonly store: StoreId | null;
  /** The one that is meant of several at the store; null where none has to be named. */
  readonly targetId: string | null;
  readonly version: string;
  /** The zip or folder, relative to where the user is; null where the store needs none. */
  readonly from: string | null;
  /** Null where the store needs none. */
  readonly prepared: PreparedPackage | null;
  readonly justifications?: ProjectSettings['justifications'];
  /** That it was built from. */
  readonly commit?: string | undefined;
  /** The sources are sent next. */
  readonly sourceFollows?: boolean;
}

/** Result of a push in the service. */
export interface Sent {
  readonly artifact: Artifact;
  readonly deduplicated: boolean;
  /** In words, everything that is to be expected. */
  readonly warning?: string;
  /** Of the whole package, for the stores to which it goes. */
  readonly findings: readonly PushedFinding[];
}

/** Asks what a push would be answered. @throws Failure with what the service would refuse it for */
export const checkPush = (
  service: Service,
  { extensionId, store, targetId, notes, localizedNotes }: Sending,
  { manifest, size, sha256, contentSha256 }: PreparedPackage,
): Promise<Schema<'PackageCheck'>> =>
  answer(
    service.client.POST('/api/v1/artifacts/check', {
      params: {
        query: {
          extension: extensionId,
          ...(store === null ? {} : { store }),
          ...(targetId === null ? {} : { target: targetId }),
        },
      },
      body: {
        manifest: { ...manifest.json },
        size,
        sha256,
        hasNotes: notes !== undefined || localizedNotes !== undefined,
        // A service that does not know notes by locale refuses these fields.
        ...(localizedNotes === undefined ? {} : { localizedNotes, ...(notes === undefined ? {} : { notes }) }),
        ...(contentSha256 === undefined ? {} : { contentSha256 }),
      },
      fetch: service.repeatedly,
    }),
  );

/** Loaded when it is needed: TLS alone takes a tenth of the time in which the program starts. */
async function upload<Result>(
  service: Service,
  path: string,
  content: Content,
  onProgress: OnProgress,
): Promise<Result> {
  const { upload: send } = await import('../api/upload.js');
  return send<Result>(service, path, content, onProgress);
}

const MEDIA_TYPES = {
  zip: 'application/zip',
  crx: 'application/x-chrome-extension',
  pkg: 'application/octet-stream',
  ipa: 'application/octet-stream',
} as const;

/** Whether a package is an app, which goes to the App Store alone. */
export const isApp = ({ format }: Pick<PreparedPackage, 'format'>): boolean => format === 'pkg' || format === 'ipa';

/** Sends a package and pins its version. The same again changes nothing. */
export function sendPackage(service: Service, sending: Sending, onProgress: OnProgress): Promise<Sent> {
  const { extensionId, version, store, targetId, sourceFollows, prepared } = sending;
  const { notes, localizedNotes, reviewerNotes, justifications, commit } = sending;
  const query = new URLSearchParams({ extension: extensionId, version });
  if (store !== null) query.set('store', store);
  if (targetId !== null) query.set('target', targetId);
  if (sourceFollows === true) query.set('source', 'follows');
  const file = prepared === null ? null : { ...prepared, contentType: MEDIA_TYPES[prepared.format] };
  const fields = {
    ...(notes === undefined ? {} : { notes }),
    ...(localizedNotes === undefined ? {} : { localizedNotes: JSON.stringify(localizedNotes) }),
    ...(reviewerNotes === undefined ? {} : { reviewerNotes }),
    ...(justifications === undefined ? {} : { justifications: JSON.stringify(justifications) }),
    ...(commit === undefined ? {} : { commit }),
  };
  return upload<Sent>(service, `/api/v1/artifacts?${query.toString()}`, { file, fields }, onProgress);
}

/** Attaches the sources of an artifact. @returns what they come too late for; undefined when they come in time */
export async function sendSources(
  service: Service,
  artifactId: string,
  sources: { readonly path: string; readonly size: number },
  onProgress: OnProgress,
): Promise<string | undefined> {
  const file = { ...sources, contentType: archiveType(sources.path) };
  const { warning } = await upload<Schema<'SourcedArtifact'>>(
    service,
    `/api/v1/artifacts/${artifactId}/source`,
    { file },
    onProgress,
  );
  return warning;
}

/** The type of an archive by its name; a folder has been zipped. */
function archiveType(path: string): string {
  if (/\.(tar\.gz|tgz)$/i.test(basename(path))) return 'application/gzip';
  return /\.tar\.bz2$/i.test(basename(path)) ? 'application/x-bzip2' : 'application/zip';
}
