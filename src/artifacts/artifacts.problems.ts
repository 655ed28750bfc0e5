import { defineProblem } from '../common/problems/index.js';

export const ArtifactNotFound = defineProblem({
  code: 'artifact_not_found',
  status: 404,
  title: 'Artifact not found',
  cause: 'The tenant has no artifact with this id.',
  remedy: 'List the artifacts with GET /artifacts.',
});

export const PackageLost = defineProblem(
  {
    code: 'package_lost',
    status: 410,
    title: 'Package lost',
    cause: 'The file of the package, or of its source code, is missing from the storage.',
    remedy: 'Push the same content again.',
  },
  (what: 'package' | 'sources') =>
    what === 'package'
      ? 'The file of this package is missing. Push the same content again to restore it.'
      : 'The file of the source code is missing. Attach the same archive again to restore it.',
);

export const SignedPackageElsewhere = defineProblem({
  code: 'signed_package_elsewhere',
  status: 422,
  title: 'A signed package for other stores',
  cause: 'The package is a signed .crx, which only the Chrome Web Store takes.',
  remedy: 'Push it with store=chrome, and the zip for the other stores.',
});

export const ArtifactRequired = defineProblem(
  {
    code: 'artifact_required',
    status: 400,
    title: 'A package is required',
    cause: 'The store needs a package, but the body is empty.',
    remedy: 'Send the zip as the body.',
  },
  () => 'Send the zip as the request body. Only stores that receive their builds in another way need no package.',
);

export const ArtifactTooLarge = defineProblem(
  {
    code: 'artifact_too_large',
    status: 413,
    title: 'The package is too large',
    cause: 'The package is larger than ARTIFACT_MAX_BYTES.',
    remedy: 'Make the package smaller, or ask the operator to raise the limit. Stores have limits of their own.',
  },
  (limitBytes: number) => ({
    detail: `A package can have at most ${limitBytes} bytes.`,
    members: { limit: limitBytes },
  }),
);

export const TooManyUploads = defineProblem(
  {
    code: 'too_many_uploads',
    status: 429,
    title: 'Too many uploads at once',
    cause: 'The tenant is already sending as many packages as MAX_UPLOADS_AT_ONCE allows.',
    remedy: 'Send the package again after another upload has finished.',
  },
  (limit: number) => ({
    detail: `A tenant can upload at most ${limit} packages at once. Send this one after another has finished.`,
    members: { limit },
    headers: { 'Retry-After': '5' },
  }),
);

export const StorageLimitReached = defineProblem(
  {
    code: 'storage_limit_reached',
    status: 403,
    title: 'Storage limit reached',
    cause: 'With this upload, the tenant would store more bytes than MAX_STORED_BYTES allows.',
    remedy: 'Delete an extension that you no longer need, or ask the operator to raise the limit.',
  },
  (limit: number) => ({
    detail: `A tenant can store at most ${limit} bytes of packages and source code. Delete an extension that you no longer need, or ask the operator to raise the limit.`,
    members: { limit },
  }),
);

export const InvalidPackage = defineProblem(
  {
    code: 'invalid_archive',
    status: 422,
    title: 'The package is not usable',
    cause: 'The body is not a zip or signed app that stores accept.',
    remedy: 'Fix the fault that detail names, and build the package again.',
  },
  (fault: string) => fault,
);

export const InvalidPackageManifest = defineProblem(
  {
    code: 'invalid_manifest',
    status: 422,
    title: 'The package has no usable manifest',
    cause: 'manifest.json is missing from the root of the zip, or cannot be read.',
    remedy: 'Correct what detail names. Zip the contents of the folder, not the folder.',
  },
  (fault: string) => fault,
);

export const PackageTooCostly = defineProblem(
  {
    code: 'package_too_costly',
    status: 422,
    title: 'The package costs too much to read',
    cause: 'Reading the package takes longer than TASK_SECONDS, or more memory than it may.',
    remedy: 'Leave out what the extension does not need, or ask the operator to raise the limit.',
  },
  (limit: string) => `Reading the package takes more than ${limit}.`,
);

export const VersionMismatch = defineProblem(
  {
    code: 'version_mismatch',
    status: 422,
    title: 'Version differs from the manifest',
    cause: 'The version in the manifest differs from the one in the request.',
    remedy: 'Push the version of the manifest.',
  },
  (pinned: string, version: string, what: 'manifest' | 'app' = 'manifest') =>
    `The request pins version ${pinned}, but the ${what} has version ${version}.`,
);

export const VersionNotAccepted = defineProblem(
  {
    code: 'version_not_accepted',
    status: 422,
    title: 'A store does not accept the version',
    cause: 'A store that the version goes to does not accept such a version number.',
    remedy: 'Change the version in the manifest, or push with the parameter store for each store that accepts it.',
  },
  (version: string, store: string, fault: string) =>
    `${store} does not accept version ${version}: ${fault}. Choose another version, or push this one with the parameter store for the other stores.`,
);

export const NotesTooLong = defineProblem(
  {
    code: 'notes_too_long',
    status: 422,
    title: 'The release notes are too long',
    cause: 'A store that the version goes to takes shorter release notes.',
    remedy: 'Shorten the texts that detail names, or push with the parameter store for the other stores.',
  },
  (store: string, max: number, texts: readonly string[]) => ({
    detail: `${store} takes release notes of up to ${max} characters in one language, and ${texts.join(', ')}. Shorten them, or push with the parameter store for the other stores.`,
    members: { limit: max },
  }),
);

export const VersionConflict = defineProblem(
  {
    code: 'version_conflict',
    status: 409,
    title: 'Version already has other content',
    cause: 'A store already has other content for this version.',
    remedy:
      'Raise the version in the manifest, or push the package with the parameter store for the other stores. Of a signed package, raise the build number.',
  },
  (version: string, stores: readonly string[], buildNumber: string | null = null) =>
    buildNumber !== null
      ? `${stores.join(' and ') || 'The store'} already received another build of version ${version} with the number ${buildNumber} or a higher one. Build the app again with a higher build number, and push it.`
      : `${stores.length === 0 ? 'A store' : stores.join(' and ')} already received other content for version ${version}. Choose a higher version, or push this package with the parameter store for the other stores.`,
);

export const VersionNotNewer = defineProblem(
  {
    code: 'version_not_newer',
    status: 409,
    title: 'Version is lower than at the store',
    cause: 'A store has a higher version.',
    remedy: 'Raise the version in the manifest.',
  },
  (version: string, store: string, theirs: string) =>
    `${store} already has version ${theirs} and does not accept ${version}.`,
);

export const RollbackNotSupported = defineProblem(
  {
    code: 'rollback_not_supported',
    status: 409,
    title: 'Rollback not supported',
    cause: 'The store cannot publish an older version again.',
    remedy: 'Push the older code as a higher version.',
  },
  (store: string) => `${store} cannot publish an older version again. Push the older code as a higher version.`,
);

export const RollbackNotOlder = defineProblem(
  {
    code: 'rollback_not_older',
    status: 409,
    title: 'Version to roll back to is not older',
    cause: 'The version to roll back to is not lower than the live one, or was never live at this store.',
    remedy: 'Name an older version that was live at this store.',
  },
  (to: string, than: string, store: string) =>
    `${store} cannot be rolled back to version ${to}. Name a version below ${than} that was live there.`,
);
