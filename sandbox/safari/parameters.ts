import type { StoreCall } from '../stand-in.js';
import { badParameter } from './errors.js';

const fields = (...types: readonly string[]): string[] => types.map((type) => `fields[${type}]`);
const filters = (...names: readonly string[]): string[] => names.map((name) => `filter[${name}]`);
const limits = (...relationships: readonly string[]): string[] => relationships.map((name) => `limit[${name}]`);
/** The parameters of every list; `cursor` is undocumented but part of the links to the next page. */
const LIST = ['limit', 'cursor', 'include'];

const OF_APP = [
  ...fields('apps', 'appEncryptionDeclarations', 'ciProducts', 'betaGroups', 'appStoreVersions', 'preReleaseVersions'),
  ...fields('betaAppLocalizations', 'builds', 'betaLicenseAgreements', 'betaAppReviewDetails', 'appInfos', 'appClips'),
  ...fields('endUserLicenseAgreements', 'inAppPurchases', 'subscriptionGroups', 'gameCenterEnabledVersions'),
  ...fields('appCustomProductPages', 'promotedPurchases', 'appEvents', 'reviewSubmissions', 'gameCenterDetails'),
  ...fields('subscriptionGracePeriods', 'appStoreVersionExperiments', 'androidToIosAppMappingDetails'),
  ...limits('appClips', 'appInfos', 'appStoreVersions', 'builds', 'preReleaseVersions', 'reviewSubmissions'),
];

const OF_VERSION = [
  ...fields('appStoreVersions', 'ageRatingDeclarations', 'appStoreVersionLocalizations', 'builds'),
  ...fields('appStoreVersionPhasedReleases', 'gameCenterAppVersions', 'routingAppCoverages', 'appStoreReviewDetails'),
  ...fields('appStoreVersionSubmissions', 'appClipDefaultExperiences', 'appStoreVersionExperiments'),
  ...fields('alternativeDistributionPackages'),
  ...limits('appStoreVersionLocalizations', 'appStoreVersionExperiments', 'appStoreVersionExperimentsV2'),
];

const OF_CUSTOMER_REVIEW = fields('customerReviews', 'customerReviewResponses');

const OF_RUN = [...fields('ciBuildRuns', 'builds'), ...limits('builds')];

const OF_REVIEW = [...fields('reviewSubmissions', 'reviewSubmissionItems'), ...limits('items')];

/**
 * The query parameters of each read, as Apple's OpenAPI document 4.2 lists them (read in the types of `appstore-connect-sdk` 2.0.0); of
 * the filters, those that the stand-in supports. Writes have none.
 */
const LISTED: Readonly<Record<string, readonly string[]>> = {
  apps: [...LIST, ...OF_APP, ...filters('bundleId', 'id')],
  app: ['include', ...OF_APP],
  versions: [
    ...LIST,
    ...OF_VERSION,
    ...fields('apps'),
    ...filters('platform', 'versionString', 'appVersionState', 'id'),
  ],
  version: ['include', ...OF_VERSION],
  builds: [
    ...LIST,
    'sort',
    ...fields('builds', 'preReleaseVersions', 'betaTesters', 'betaBuildLocalizations', 'appEncryptionDeclarations'),
    ...fields('betaAppReviewSubmissions', 'apps', 'buildBetaDetails', 'appStoreVersions', 'buildIcons'),
    ...limits('betaBuildLocalizations', 'betaGroups', 'buildBundles', 'icons', 'individualTesters'),
    ...filters('app', 'preReleaseVersion.version', 'preReleaseVersion.platform', 'processingState', 'expired'),
    ...filters('version', 'buildAudienceType', 'id'),
  ],
  localizations: [
    ...LIST,
    ...fields('appStoreVersionLocalizations', 'appStoreVersions', 'appScreenshotSets', 'appPreviewSets', 'appKeywords'),
    ...limits('appScreenshotSets', 'appPreviewSets', 'searchKeywords'),
    ...filters('locale'),
  ],
  customerReviews: [
    ...LIST,
    'sort',
    ...OF_CUSTOMER_REVIEW,
    ...filters('rating', 'territory'),
    'exists[publishedResponse]',
  ],
  response: ['include', ...OF_CUSTOMER_REVIEW],
  buildUploads: [
    ...LIST,
    'sort',
    ...fields('buildUploads', 'builds', 'buildUploadFiles'),
    ...filters('cfBundleShortVersionString', 'cfBundleVersion', 'platform'),
  ],
  buildUpload: ['include', ...fields('buildUploads')],
  uploadFile: fields('buildUploadFiles'),
  workflow: ['include', ...fields('ciWorkflows', 'scmRepositories')],
  runs: [
    ...LIST,
    'sort',
    ...OF_RUN,
    ...fields('ciWorkflows', 'ciProducts', 'scmGitReferences', 'scmPullRequests'),
    ...filters('builds'),
  ],
  run: ['include', ...OF_RUN],
  references: [...LIST, ...fields('scmGitReferences', 'scmRepositories')],
  reviews: [...LIST, ...OF_REVIEW, ...filters('app', 'platform', 'state')],
  review: ['include', ...OF_REVIEW],
  reportRequests: [...LIST, ...filters('accessType')],
  reports: [...LIST, ...filters('category', 'name')],
  reportInstances: [...LIST, ...filters('granularity', 'processingDate')],
  reportSegments: [...LIST],
  webhooks: [...LIST, ...fields('webhooks', 'apps')],
  reviewItems: [
    ...LIST,
    ...fields('reviewSubmissionItems', 'appStoreVersions', 'appCustomProductPageVersions', 'appEvents'),
    ...fields('appStoreVersionExperiments', 'backgroundAssetVersions', 'gameCenterAchievementVersions'),
    ...fields('gameCenterActivityVersions', 'gameCenterChallengeVersions', 'gameCenterLeaderboardSetVersions'),
    ...fields('gameCenterLeaderboardVersions'),
  ],
};

/** Refuses query parameters that Apple does not document for the call. */
export function assertListed(operation: string, { url }: StoreCall): void {
  const unlisted = [...url.searchParams.keys()].find((name) => LISTED[operation]?.includes(name) !== true);
  if (unlisted !== undefined)
    throw badParameter(unlisted, `The parameter '${unlisted}' can not be used with this request`, 'ILLEGAL');
}
