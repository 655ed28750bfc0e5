import { defineProblem } from '../common/problems/index.js';

export const ArtifactNotFound = defineProblem(
  { code: 'artifact_not_found', status: 404, title: 'Artifact not found' },
  () => 'This tenant has no package with that id.',
);

export const PackageLost = defineProblem(
  { code: 'package_lost', status: 410, title: 'The file of the package is lost' },
  (what: 'package' | 'sources') =>
    what === 'package'
      ? 'Pierhead no longer has the file of this package. Push the same content again, and it takes its place.'
      : 'Pierhead no longer has the file of the sources. Attach the same archive again, and it takes its place.',
);

export const ArtifactRequired = defineProblem(
  { code: 'artifact_required', status: 400, title: 'A package is required' },
  () => 'Send the zip as the body; only a store that takes builds from elsewhere can be pinned without one.',
);

export const ArtifactTooLarge = defineProblem(
  { code: 'artifact_too_large', status: 413, title: 'The package is too large' },
  (limitBytes: number) => ({
    detail: `A package may have at most ${limitBytes} bytes.`,
    members: { limit: limitBytes },
  }),
);

export const InvalidPackage = defineProblem(
  { code: 'invalid_archive', status: 422, title: 'The package is no usable zip' },
  (fault: string) => fault,
);

export const InvalidPackageManifest = defineProblem(
  { code: 'invalid_manifest', status: 422, title: 'The package has no usable manifest' },
  (fault: string) => fault,
);

export const VersionMismatch = defineProblem(
  { code: 'version_mismatch', status: 422, title: 'The manifest has another version' },
  (pinned: string, version: string) => `Version ${pinned} was to be pinned, and the manifest says ${version}.`,
);

export const VersionConflict = defineProblem(
  { code: 'version_conflict', status: 409, title: 'The version is taken by other content' },
  (version: string) =>
    `Other content for version ${version} has already been handed to a store; take a higher version.`,
);

export const VersionNotNewer = defineProblem(
  { code: 'version_not_newer', status: 409, title: 'The version is lower than what a store has' },
  (version: string, store: string, theirs: string) =>
    `${store} has version ${theirs}, and cannot go down to ${version}.`,
);

export const RollbackNotSupported = defineProblem(
  { code: 'rollback_not_supported', status: 409, title: 'The store cannot roll back' },
  (store: string) => `${store} cannot serve an older version again; push its content under a higher version.`,
);

export const RollbackNotOlder = defineProblem(
  { code: 'rollback_not_older', status: 409, title: 'The version to bring back is not an older one' },
  (to: string, than: string, store: string) =>
    `${to} cannot be brought back at ${store}: name a version below ${than} that was live there.`,
);
