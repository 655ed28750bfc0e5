import { referenceShape, repositoryShape, workflowShape } from './cloud.js';
import type { LookUp, Ref, Shape } from './documents.js';
import type {
  App,
  Build,
  BuildUpload,
  BuildUploadFile,
  Localization,
  PhasedRelease,
  ReviewItem,
  ReviewSubmission,
  Version,
} from './model.js';
import { phasedDay, versionsIn } from './review.js';
import { partHeaders, uploadState } from './uploads.js';
import { processingState } from './versions.js';
import type { SafariWorld } from './world.js';

const ref = (type: string, id: string): Ref => ({ type, id });
const BUILD_LIFE_MS = 90 * 86_400_000;

/** An app. */
export const appShape = ({ appId, bundleId, name, locales }: App): Shape => ({
  type: 'apps',
  id: appId,
  attributes: { name, bundleId, sku: bundleId, primaryLocale: locales[0] ?? 'en-US' },
  related: {},
});

/** A build (src/stores/README.md#safari-states). */
export const buildShape = (build: Build, now: Date): Shape => ({
  type: 'builds',
  id: build.id,
  attributes: {
    version: build.number,
    uploadedDate: build.uploadedAt.toISOString(),
    expirationDate: new Date(build.uploadedAt.getTime() + BUILD_LIFE_MS).toISOString(),
    expired: build.expired,
    processingState: processingState(build, now),
    buildAudienceType: build.audience,
    usesNonExemptEncryption: build.usesNonExemptEncryption,
  },
  related: { app: ref('apps', build.appId), preReleaseVersion: trainOf(build) },
});

/** The train of builds of one marketing version on one platform. */
const trainOf = ({ appId, platform, version }: Build): Ref =>
  ref('preReleaseVersions', `${appId}-${platform}-${version}`);

/** A version of a platform (src/stores/README.md#safari-states). */
export const versionShape = (version: Version): Shape => ({
  type: 'appStoreVersions',
  id: version.id,
  attributes: {
    platform: version.platform,
    versionString: version.versionString,
    appVersionState: version.state,
    copyright: null,
    reviewType: 'APP_STORE',
    releaseType: version.releaseType,
    earliestReleaseDate: version.earliestReleaseDate,
    downloadable: version.state === 'READY_FOR_DISTRIBUTION',
    createdDate: version.createdAt.toISOString(),
  },
  related: {
    app: ref('apps', version.appId),
    build: version.buildId === null ? null : ref('builds', version.buildId),
    appStoreVersionLocalizations: version.localizations.map(({ id }) => ref('appStoreVersionLocalizations', id)),
    appStoreVersionPhasedRelease: version.phased && ref('appStoreVersionPhasedReleases', version.phased.id),
  },
});

/** The texts of a version in one language. */
export const localizationShape = (version: Version, { id, locale, whatsNew }: Localization): Shape => ({
  type: 'appStoreVersionLocalizations',
  id,
  attributes: { locale, description: 'A Safari extension.', whatsNew },
  related: { appStoreVersion: ref('appStoreVersions', version.id) },
});

/** How a version is released along Apple's curve. */
export const phasedShape = (version: Version, phased: PhasedRelease, now: Date): Shape => ({
  type: 'appStoreVersionPhasedReleases',
  id: phased.id,
  attributes: {
    phasedReleaseState: phased.state,
    startDate: phased.startedAt?.toISOString() ?? null,
    totalPauseDuration: 0,
    currentDayNumber: Math.min(phasedDay(version, now), 7),
  },
  related: {},
});

/** A review submission (src/stores/README.md#safari-states). */
export const reviewShape = (world: SafariWorld, review: ReviewSubmission): Shape => {
  const [version] = versionsIn(world, review);
  return {
    type: 'reviewSubmissions',
    id: review.id,
    attributes: {
      platform: review.platform,
      submittedDate: review.submittedAt?.toISOString() ?? null,
      state: review.state,
    },
    related: {
      app: ref('apps', review.appId),
      items: review.items.map(({ id }) => ref('reviewSubmissionItems', id)),
      appStoreVersionForReview: version ? ref('appStoreVersions', version.id) : null,
    },
  };
};

/** An item of one. */
export const itemShape = (review: ReviewSubmission, { id, state, versionId }: ReviewItem): Shape => ({
  type: 'reviewSubmissionItems',
  id,
  attributes: { state },
  related: {
    appStoreVersion: versionId === null ? null : ref('appStoreVersions', versionId),
    reviewSubmission: ref('reviewSubmissions', review.id),
  },
});

/** An upload of a build (src/stores/README.md#safari-uploads). */
export const uploadShape = (world: SafariWorld, upload: BuildUpload): Shape => {
  const state = uploadState(world, upload);
  return {
    type: 'buildUploads',
    id: upload.id,
    attributes: {
      cfBundleShortVersionString: upload.version,
      cfBundleVersion: upload.number,
      createdDate: upload.createdAt.toISOString(),
      state: { state, errors: state === 'FAILED' ? [upload.error] : [], warnings: [], infos: [] },
      platform: upload.platform,
      uploadedDate: upload.completedAt?.toISOString() ?? null,
    },
    related: {
      build: upload.buildId === null ? null : ref('builds', upload.buildId),
      assetFile: upload.file && ref('buildUploadFiles', upload.file.id),
      assetDescriptionFile: null,
      assetSpiFile: null,
    },
  };
};

/** A file of one; where to send its parts as long as that is possible. */
export const uploadFileShape = (file: BuildUploadFile, origin: string, now: Date): Shape => ({
  type: 'buildUploadFiles',
  id: file.id,
  attributes: {
    assetDeliveryState: { state: file.isUploaded ? 'UPLOAD_COMPLETE' : 'AWAITING_UPLOAD', errors: [], warnings: [] },
    assetType: file.assetType,
    fileName: file.fileName,
    fileSize: file.fileSize,
    uti: file.uti,
    uploadOperations:
      file.isUploaded || now >= file.expiresAt
        ? []
        : file.parts.map((part) => ({
            method: 'PUT',
            url: `${origin}/massilia/${file.id}/${part.number}`,
            offset: part.offset,
            length: part.length,
            requestHeaders: Object.entries(partHeaders(part)).map(([name, value]) => ({ name, value })),
            expiration: file.expiresAt.toISOString(),
            partNumber: part.number,
          })),
  },
  related: {},
});

/** Finds what a relationship leads to, for `included`. */
export function lookUpIn(world: SafariWorld, now: Date): LookUp {
  return ({ type, id }) => {
    switch (type) {
      case 'apps':
        return shapeOf(world.app(id), appShape);
      case 'builds':
        return shapeOf(world.build(id), (build) => buildShape(build, now));
      case 'preReleaseVersions':
        return trainShape(id);
      case 'appStoreVersions':
        return shapeOf(world.version(id), versionShape);
      case 'appStoreVersionLocalizations':
        return shapeOf(world.versionOfLocalization(id), (version) => {
          const found = version.localizations.find((one) => one.id === id);
          return found && localizationShape(version, found);
        });
      case 'appStoreVersionPhasedReleases':
        return shapeOf(
          world.versionOfPhased(id),
          (version) => version.phased && phasedShape(version, version.phased, now),
        );
      case 'ciWorkflows':
        return shapeOf(world.cloud.workflow(id), workflowShape);
      case 'scmRepositories':
        return repositoryShape(id);
      case 'scmGitReferences':
        return shapeOf(world.cloud.reference(id), referenceShape);
      case 'buildUploadFiles':
        return shapeOf(world.uploads.file(id), (file) => uploadFileShape(file, 'http://127.0.0.1', now));
      case 'reviewSubmissionItems':
        return shapeOf(world.reviewOfItem(id), (review) => {
          const found = review.items.find((item) => item.id === id);
          return found && itemShape(review, found);
        });
      default:
        return undefined;
    }
  };
}

function shapeOf<T>(found: T | undefined, make: (found: T) => Shape | null | undefined): Shape | undefined {
  return found === undefined ? undefined : (make(found) ?? undefined);
}

function trainShape(id: string): Shape {
  const [, platform, version] = id.split('-');
  return { type: 'preReleaseVersions', id, attributes: { version, platform }, related: {} };
}
