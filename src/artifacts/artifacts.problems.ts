import { defineProblem } from '../common/problems/index.js';

export const ArtifactNotFound = defineProblem({
  code: 'artifact_not_found',
  status: 404,
  title: 'Artifact not found',
  cause: 'The tenant has no artifact with this id.',
  remedy: 'List them with GET /artifacts.',
});

export const PackageLost = defineProblem(
  {
    code: 'package_lost',
    status: 410,
    title: 'The file of the package is lost',
    cause: 'The file of the package or of its sources is gone from the storage.',
    remedy: 'Push the same content again.',
  },
  (what: 'package' | 'sources') =>
    what === 'package'
      ? 'Pierhead no longer has the file of this package. Push the same content again to restore it.'
      : 'Pierhead no longer has the file of the sources. Attach the same archive again to restore it.',
);

export const ArtifactRequired = defineProblem(
  {
    code: 'artifact_required',
    status: 400,
    title: 'A package is required',
    cause: 'The store needs a package, but the body is empty.',
    remedy: 'Send the zip as the body.',
  },
  () => 'Send the zip as the body; only stores that get their builds elsewhere need none.',
);

export const ArtifactTooLarge = defineProblem(
  {
    code: 'artifact_too_large',
    status: 413,
    title: 'The package is too large',
    cause: 'The package is larger than ARTIFACT_MAX_BYTES.',
    remedy: 'Make it smaller, or raise the limit; stores have their own limits.',
  },
  (limitBytes: number) => ({
    detail: `A package may have at most ${limitBytes} bytes.`,
    members: { limit: limitBytes },
  }),
);

export const TooManyUploads = defineProblem(
  {
    code: 'too_many_uploads',
    status: 429,
    title: 'Too many uploads at a time',
    cause: 'The tenant is already sending as many packages as MAX_UPLOADS_AT_ONCE allows.',
    remedy: 'Send the package again after another upload has finished.',
  },
  (limit: number) => ({
    detail: `A tenant may upload ${limit} packages at a time. Send this one after another has finished.`,
    members: { limit },
    headers: { 'Retry-After': '5' },
  }),
);

export const StorageLimitReached = defineProblem(
  {
    code: 'storage_limit_reached',
    status: 403,
    title: 'The storage limit is reached',
    cause: 'The packages and sources of the tenant would take more bytes than MAX_STORED_BYTES allows.',
    remedy: 'Delete an extension that is no longer needed, or ask the operator for more.',
  },
  (limit: number) => ({
    detail: `A tenant may keep ${limit} bytes of packages and sources. Delete an extension that is no longer needed, or ask the operator for more (MAX_STORED_BYTES).`,
    members: { limit },
  }),
);

export const InvalidPackage = defineProblem(
  {
    code: 'invalid_archive',
    status: 422,
    title: 'The package is not a usable zip',
    cause: 'The body is not a zip that stores accept.',
    remedy: 'Follow detail; build the zip again.',
  },
  (fault: string) => fault,
);

export const InvalidPackageManifest = defineProblem(
  {
    code: 'invalid_manifest',
    status: 422,
    title: 'The package has no usable manifest',
    cause: 'manifest.json is missing from the root of the zip, or cannot be read.',
    remedy: 'Follow detail; zip the content of the folder, not the folder.',
  },
  (fault: string) => fault,
);

export const VersionMismatch = defineProblem(
  {
    code: 'version_mismatch',
    status: 422,
    title: 'The manifest has another version',
    cause: 'The manifest and the request have different versions.',
    remedy: 'Push the version of the manifest.',
  },
  (pinned: string, version: string) => `The request pins version ${pinned}, but the manifest has version ${version}.`,
);

export const VersionNotAccepted = defineProblem(
  {
    code: 'version_not_accepted',
    status: 422,
    title: 'A store does not accept the version',
    cause: 'A store that the version goes to does not accept such a version number.',
    remedy: 'Change the version in the manifest, or push it with store for the stores that accept it.',
  },
  (version: string, store: string, fault: string) =>
    `${store} does not accept version ${version}: ${fault}. Choose another version, or push this one for the other stores by name.`,
);

export const VersionConflict = defineProblem(
  {
    code: 'version_conflict',
    status: 409,
    title: 'The version has other content already',
    cause: 'A store already has other content for this version.',
    remedy: 'Raise the version in the manifest.',
  },
  (version: string) =>
    `Other content for version ${version} was already submitted to a store; choose a higher version.`,
);

export const VersionNotNewer = defineProblem(
  {
    code: 'version_not_newer',
    status: 409,
    title: 'The version is lower than what a store has',
    cause: 'The version is not above what a store has.',
    remedy: 'Raise the version in the manifest.',
  },
  (version: string, store: string, theirs: string) =>
    `${store} already has version ${theirs} and does not accept ${version}.`,
);

export const RollbackNotSupported = defineProblem(
  {
    code: 'rollback_not_supported',
    status: 409,
    title: 'The store cannot roll back',
    cause: 'The store cannot serve an older version again.',
    remedy: 'Push the old content under a higher version.',
  },
  (store: string) => `${store} cannot serve an older version again; push its content under a higher version.`,
);

export const RollbackNotOlder = defineProblem(
  {
    code: 'rollback_not_older',
    status: 409,
    title: 'The version to bring back is not older',
    cause: 'The version to return to is not below the live one, or was never live there.',
    remedy: 'Name an older version that was live at this store.',
  },
  (to: string, than: string, store: string) =>
    `${to} cannot be brought back at ${store}: name a version below ${than} that was live there.`,
);
