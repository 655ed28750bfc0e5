/** The platforms of the App Store (src/stores/README.md#safari-states). */
export const PLATFORMS = ['MAC_OS', 'IOS', 'TV_OS', 'VISION_OS'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** `appVersionState` (src/stores/README.md#safari-states). */
export const VERSION_STATES = [
  'PREPARE_FOR_SUBMISSION',
  'READY_FOR_REVIEW',
  'WAITING_FOR_REVIEW',
  'IN_REVIEW',
  'PENDING_DEVELOPER_RELEASE',
  'PENDING_APPLE_RELEASE',
  'PROCESSING_FOR_DISTRIBUTION',
  'READY_FOR_DISTRIBUTION',
  'REPLACED_WITH_NEW_VERSION',
  'ACCEPTED',
  'REJECTED',
  'METADATA_REJECTED',
  'DEVELOPER_REJECTED',
  'INVALID_BINARY',
  'WAITING_FOR_EXPORT_COMPLIANCE',
] as const;
export type VersionState = (typeof VERSION_STATES)[number];

/** `reviewSubmissions.state` (src/stores/README.md#safari-states). */
export type ReviewState =
  | 'READY_FOR_REVIEW'
  | 'WAITING_FOR_REVIEW'
  | 'IN_REVIEW'
  | 'UNRESOLVED_ISSUES'
  | 'CANCELING'
  | 'COMPLETING'
  | 'COMPLETE';

export const RELEASE_TYPES = ['MANUAL', 'AFTER_APPROVAL', 'SCHEDULED'] as const;
export type ReleaseType = (typeof RELEASE_TYPES)[number];

export const PHASED_STATES = ['INACTIVE', 'ACTIVE', 'PAUSED', 'COMPLETE'] as const;
export type PhasedState = (typeof PHASED_STATES)[number];

export const AUDIENCES = ['INTERNAL_ONLY', 'APP_STORE_ELIGIBLE'] as const;
export const BUILD_OUTCOMES = ['VALID', 'FAILED', 'INVALID'] as const;

/** A delivered build; it is `PROCESSING` until `processedAt`. */
export interface Build {
  readonly id: string;
  readonly appId: string;
  readonly platform: Platform;
  /** The marketing version. */
  readonly version: string;
  /** The build number. */
  readonly number: string;
  readonly uploadedAt: Date;
  readonly processedAt: Date;
  readonly outcome: (typeof BUILD_OUTCOMES)[number];
  readonly audience: (typeof AUDIENCES)[number];
  expired: boolean;
  /** `null` while the question is open. */
  usesNonExemptEncryption: boolean | null;
}

/** A part of a file, which is sent to an address of its own. */
export interface UploadPart {
  readonly number: number;
  readonly offset: number;
  readonly length: number;
  /** A header of the part must contain it. */
  readonly token: string;
  content: Buffer | null;
}

/** A file of an upload (src/stores/README.md#safari-uploads). */
export interface BuildUploadFile {
  readonly id: string;
  readonly uploadId: string;
  readonly assetType: string;
  readonly fileName: string;
  readonly fileSize: number;
  readonly uti: string;
  /** Until when its parts are taken. */
  readonly expiresAt: Date;
  readonly parts: readonly UploadPart[];
  isUploaded: boolean;
}

/** An upload of a build over the API (src/stores/README.md#safari-uploads). */
export interface BuildUpload {
  readonly id: string;
  readonly appId: string;
  readonly platform: Platform;
  /** The marketing version. */
  readonly version: string;
  /** The build number. */
  readonly number: string;
  readonly createdAt: Date;
  file: BuildUploadFile | null;
  /** When its processing ends; null until all of it was uploaded. */
  completedAt: Date | null;
  buildId: string | null;
  /** With which its processing ends. */
  error: { readonly code: string; readonly description: string } | null;
}

export interface Localization {
  readonly id: string;
  readonly locale: string;
  whatsNew: string | null;
}

export interface PhasedRelease {
  readonly id: string;
  state: PhasedState;
  startedAt: Date | null;
}

/** A version of one platform. */
export interface Version {
  readonly id: string;
  readonly appId: string;
  readonly platform: Platform;
  readonly createdAt: Date;
  readonly localizations: readonly Localization[];
  versionString: string;
  state: VersionState;
  releaseType: ReleaseType;
  earliestReleaseDate: string | null;
  buildId: string | null;
  buildAttachedAt: Date | null;
  phased: PhasedRelease | null;
  /** When its distribution is complete. */
  distributedAt: Date | null;
}

export interface ReviewItem {
  readonly id: string;
  /** `null` for other items, such as an event. */
  readonly versionId: string | null;
  state: 'READY_FOR_REVIEW' | 'ACCEPTED' | 'APPROVED' | 'REJECTED' | 'REMOVED';
}

export interface ReviewSubmission {
  readonly id: string;
  readonly appId: string;
  readonly platform: Platform;
  state: ReviewState;
  submittedAt: Date | null;
  /** When a withdrawal is complete. */
  cancelledAt: Date | null;
  items: ReviewItem[];
}

/** Kinds of events (src/stores/README.md#safari-announcements). */
export const EVENT_TYPES = [
  'APP_STORE_VERSION_APP_VERSION_STATE_UPDATED',
  'BUILD_UPLOAD_STATE_UPDATED',
  'BUILD_BETA_DETAIL_EXTERNAL_BUILD_STATE_UPDATED',
  'BETA_FEEDBACK_CRASH_SUBMISSION_CREATED',
  'BETA_FEEDBACK_SCREENSHOT_SUBMISSION_CREATED',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** A webhook of an app. Its secret is never shown again. */
export interface Webhook {
  readonly id: string;
  readonly appId: string;
  name: string;
  url: string;
  secret: string;
  enabled: boolean;
  eventTypes: readonly EventType[];
}

export const ACCESS_TYPES = ['ONGOING', 'ONE_TIME_SNAPSHOT'] as const;

/** A row of the report. */
export interface InstallRow {
  readonly date: string;
  readonly event: string;
  readonly downloadType: string;
  readonly counts: number;
}

/** The daily report that Apple made on some day, in parts. */
export interface InstallReport {
  readonly processingDate: string;
  readonly parts: readonly (readonly InstallRow[])[];
}

/** What the author has asked Apple to report. */
export interface ReportRequest {
  readonly id: string;
  readonly appId: string;
  readonly accessType: (typeof ACCESS_TYPES)[number];
}

/** Something that a person must change in App Store Connect before a version can be reviewed. */
export interface Blocker {
  /** Such as `STATE_ERROR.SCREENSHOT_REQUIRED.APP_IPHONE_67`. */
  readonly code: string;
  readonly title: string;
  /** Apple leaves it out at times. */
  readonly detail?: string | undefined;
}

/** The developer's answer to a review (src/stores/README.md#safari-reviews). */
export interface CustomerReviewResponse {
  readonly id: string;
  readonly body: string;
  readonly state: 'PENDING_PUBLISH' | 'PUBLISHED';
  readonly modifiedAt: string;
}

/** What a user wrote about an app. */
export interface CustomerReview {
  readonly id: string;
  readonly rating: number;
  readonly title: string;
  readonly body: string;
  readonly nickname: string;
  /** As `2030-01-31T10:00:00Z`. */
  readonly createdDate: string;
  readonly territory: string;
  response: CustomerReviewResponse | null;
}

/** How an app behaves; set when it is created and by `PATCH /__sim/safari/apps/{id}`. */
export interface AppBehavior {
  /** Approves this long after the submission. */
  approveAfterSeconds: number | null;
  /** How long a withdrawal takes. */
  cancelSeconds: number;
  /** How long a release takes. */
  releaseSeconds: number;
  /** How long a version takes to become submittable after its build was attached (src/stores/README.md#safari-rules). */
  readySeconds: number;
  /** A missing attribute of the listing; submitting fails with it. */
  lacking: string | null;
  /** Further errors, in Apple's codes and words, with which submitting fails. */
  blockers: readonly Blocker[];
  /** Versions of the listing on one page at most, whatever limit is asked for; null for Apple's 200. */
  pageSize: number | null;
  /** Xcode has delivered a build of whichever version a client looks for. */
  deliversSought: boolean;
  /** Daily reports of installations and deletions, as Apple made them. */
  installReports: readonly InstallReport[];
  /** How parts of reports arrive damaged; null for whole ones. */
  partDamage: 'cut' | 'changed' | null;
  customerReviews: readonly CustomerReview[];
  /** How many ratings have one star, two, and so on, by the country of a storefront; the app is not in others. */
  storefronts: Readonly<Record<string, readonly number[]>>;
  /** The largest part of an uploaded file. */
  partBytes: number;
  /** How long the parts of a file can be sent. */
  partSeconds: number;
  /** How long an upload is processed. */
  uploadSeconds: number;
  /** Apple's words with which it refuses each upload; null to accept them. */
  uploadRefusal: string | null;
  /** How long an uploaded build is processed after that, and how that ends. */
  buildSeconds: number;
  buildOutcome: Build['outcome'];
  /** What the Info.plist of uploaded builds says of their encryption; null to leave the question open. */
  encryptionInBuilds: boolean | null;
  /** How long a run of Xcode Cloud takes to appear in lists. */
  runsListedAfterSeconds: number;
}

/** Acts of the store, so that a test can check that nothing was done twice. */
export interface AppCounters {
  versionsCreated: number;
  renames: number;
  buildsAttached: number;
  reviewsCreated: number;
  submissions: number;
  cancels: number;
  releases: number;
  /** Answers to reviews that were written or replaced. */
  responses: number;
  uploadsCreated: number;
  filesCreated: number;
  partsReceived: number;
  /** Builds that were uploaded over the API, and accepted. */
  buildsUploaded: number;
  /** Runs of Xcode Cloud. */
  runsStarted: number;
  /** Calls that changed something, of any kind. */
  writes: number;
  /** Refused calls, after authentication. */
  refused: number;
}

/** An app, as created in App Store Connect. */
export interface App extends AppBehavior {
  readonly appId: string;
  readonly issuerId: string;
  readonly bundleId: string;
  readonly name: string;
  readonly locales: readonly string[];
  readonly counters: AppCounters;
}

export const newCounters = (): AppCounters => ({
  versionsCreated: 0,
  renames: 0,
  buildsAttached: 0,
  reviewsCreated: 0,
  submissions: 0,
  cancels: 0,
  releases: 0,
  responses: 0,
  uploadsCreated: 0,
  filesCreated: 0,
  partsReceived: 0,
  buildsUploaded: 0,
  runsStarted: 0,
  writes: 0,
  refused: 0,
});

/**
 * States of an editable version; a platform has at most one (src/stores/README.md#safari-rules).
 */
export const EDITABLE: readonly VersionState[] = [
  'PREPARE_FOR_SUBMISSION',
  'READY_FOR_REVIEW',
  'REJECTED',
  'METADATA_REJECTED',
  'DEVELOPER_REJECTED',
  'INVALID_BINARY',
];

/** States of a version that is or was on the store. */
export const RELEASED: readonly VersionState[] = ['READY_FOR_DISTRIBUTION', 'REPLACED_WITH_NEW_VERSION'];

/** States in which a review submission blocks another one of the same platform. */
export const OPEN_REVIEW: readonly ReviewState[] = [
  'READY_FOR_REVIEW',
  'WAITING_FOR_REVIEW',
  'IN_REVIEW',
  'UNRESOLVED_ISSUES',
  'CANCELING',
  'COMPLETING',
];
