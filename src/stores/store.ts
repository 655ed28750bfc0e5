import type { Readable } from 'node:stream';
import type { CredentialShape, VerifiedIdentity } from '../common/fields/index.js';
import type { StoreGuide } from './store-guide.js';
import type { VersionRule } from './version.js';

export type { CredentialField, CredentialShape, KeyFile, VerifiedIdentity } from '../common/fields/index.js';

/** The extension stores, in display order. */
export const STORE_IDS = ['chrome', 'firefox', 'edge', 'safari'] as const;
export type StoreId = (typeof STORE_IDS)[number];

/** A value that a store reports (`null` for "none"), or the fact that it does not report one. */
export type Known<T> = { readonly known: true; readonly value: T } | { readonly known: false };
export const UNKNOWN: { readonly known: false } = { known: false };
export const known = <T>(value: T): Known<T> => ({ known: true, value });

/** What a store's API can do. The engine reads these and never branches on a store's id. */
export interface Capabilities extends VersionRule {
  /** Pierhead uploads the package; `false` where builds reach the store in another way. */
  readonly requiresArtifact: boolean;
  readonly canReadLive: boolean;
  readonly canReadInReview: boolean;
  /** A submission in review can be withdrawn. */
  readonly canCancel: boolean;
  /** A newer submission replaces the one in review. */
  readonly supersedesPending: boolean;
  /** Uploads share one draft, which cannot be read and which anyone with access to the item may replace. */
  readonly sharedDraft: boolean;
  /** An approved version can wait until it is released. */
  readonly stagedRelease: boolean;
  readonly percentRollout: boolean;
  /** The store raises the share of users on a fixed curve; the only other choice is 100 %. */
  readonly widensByItself: boolean;
  /** Takes release notes with a version. */
  readonly releaseNotes: boolean;
  /** Takes notes for its reviewers with a version. */
  readonly reviewerNotes: boolean;
  /** Takes the source code of a package whose code was built. */
  readonly sourceUpload: boolean;
  /** Publishes some changes without a review on request. */
  readonly skipReview: boolean;
  /** Asks about each build whether its encryption is exempt from export rules; only the author can answer. */
  readonly exportCompliance: boolean;
  /** Can publish an older version again without a review, under a new and higher number. */
  readonly rollback: boolean;
  /** Each platform has its own versions and is driven separately; an item then names one platform. */
  readonly releasesPerPlatform: boolean;
  /** Values that a target's `channel` may hold, the default first; none where the store has only one. */
  readonly channels: readonly string[];
  /** Values that a target's `platforms` may hold, and what it starts with. */
  readonly platforms: readonly string[];
  readonly defaultPlatforms: readonly string[];
  /** The public listing has another id (`crxId`) than the API uses. */
  readonly needsCrxId: boolean;
  /** Largest package the store takes, in bytes; `null` where it documents none. */
  readonly maxPackageBytes: number | null;
  /** New packages must use Manifest V3. */
  readonly requiresManifestV3: boolean;
  /** The announced day on which support for Manifest V2 ends, such as `2026-12-31`; null where none is announced. */
  readonly manifestV2EndsOn: string | null;
  /** The manifest must name the extension's id at this store. */
  readonly needsGeckoId: boolean;
  /** The manifest must declare which data the extension collects. */
  readonly needsDataCollectionPermissions: boolean;
  /** Calls per minute and credential; Pierhead waits rather than exceed it. */
  readonly callsPerMinute: number;
}

/** The states between "submitted" and "live", independent of any store's names. */
export const SUBMISSION_STATES = ['in_review', 'approved', 'releasing', 'rejected', 'cancelled', 'unknown'] as const;
export type SubmissionState = (typeof SUBMISSION_STATES)[number];

export interface Submission {
  readonly version: string;
  readonly state: SubmissionState;
}

/** The state of an asynchronous upload as the store reports it; `none` when it reports nothing. */
export type UploadState = 'none' | 'processing' | 'ready' | 'failed';

/** The state of an item as the store reports it. Nothing is guessed: what the store does not report is `UNKNOWN`. */
export interface Observed {
  readonly live: Known<string | null>;
  readonly submission: Known<Submission | null>;
  readonly upload: Known<UploadState>;
  readonly takenDown: boolean;
  /** The store has announced that it will take the item down. */
  readonly warned: boolean;
  /** Percentage of users who are offered the live version; null for all users or where the store does not report it. */
  readonly rolloutPercent: number | null;
  /** A question that the author must answer before the store continues with the submission. */
  readonly question?: string | undefined;
  /** The store's canonical id of the item, when it differs in form from `storeItemId`. */
  readonly itemId?: string | undefined;
  /** The store's answer, redacted. It is kept on the event. */
  readonly raw: unknown;
}

/** The item at the store that a target stands for. */
export interface StoreItem {
  readonly storeItemId: string;
  readonly crxId: string | null;
  readonly platforms: readonly string[];
  /** One of the store's `channels`; null where it has none. */
  readonly channel: string | null;
  /** Ids that the store assigned during this release (upload, operation, submission), by name. */
  readonly handles: Readonly<Record<string, string>>;
}

/** The part of an item that its pages depend on. */
export type ItemIds = Pick<StoreItem, 'storeItemId' | 'crxId' | 'channel'>;

/** Web pages of an item. */
export interface StorePages {
  /** The public listing; null where there is none or its URL is not known. */
  readonly listing: string | null;
  /** The author's dashboard. */
  readonly dashboard: string;
}

/** A package, opened only when it is sent. */
export interface StorePackage {
  readonly version: string;
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  open(): Promise<Readable>;
}

/** The author's declaration about encryption in a build. It is a legal statement, so there is no default. */
export const ENCRYPTION_ANSWERS = ['exempt', 'nonExempt'] as const;
export type EncryptionAnswer = (typeof ENCRYPTION_ANSWERS)[number];

/** How a version is submitted. Options that the store's capabilities do not cover are never set. */
export interface SubmitOptions {
  /** Once approved, it waits until it is released. */
  readonly staged: boolean;
  /** Percentage of users to start with; null for all. */
  readonly rolloutPercent: number | null;
  /** Release notes for the listing. */
  readonly notes: string | null;
  /** Notes that only the store's reviewers see. */
  readonly reviewerNotes: string | null;
  /** The archive with the source code. */
  readonly source: StorePackage | null;
  /** Skip the review; if the store requires one, the version is submitted with a review. */
  readonly skipReview: boolean;
  /** The author's declaration about encryption in the build. */
  readonly encryption: EncryptionAnswer | null;
}

/** Live for all users as soon as it is approved. */
export const DEFAULT_SUBMIT_OPTIONS: SubmitOptions = {
  staged: false,
  rolloutPercent: null,
  notes: null,
  reviewerNotes: null,
  source: null,
  skipReview: false,
  encryption: null,
};

/** The steps that call a store. `poll` reads the state of an upload that the store is still processing. */
export type StoreStep =
  | { readonly step: 'upload'; readonly version: string; readonly package: StorePackage }
  | { readonly step: 'poll'; readonly version: string }
  | ({ readonly step: 'submit'; readonly version: string } & SubmitOptions)
  | { readonly step: 'release'; readonly version: string }
  | { readonly step: 'rollout'; readonly version: string; readonly percent: number }
  | { readonly step: 'rollback'; readonly version: string; readonly to: string; readonly reason: string }
  | { readonly step: 'cancel'; readonly version: string };

/**
 * The result of a step. `done`: the step has taken effect. `pending`: the store has accepted it and is still working on it.
 * `handles` are saved before the next call.
 */
export interface StepOutcome {
  readonly outcome: 'done' | 'pending';
  readonly handles?: Readonly<Record<string, string>>;
  /** One sentence for the timeline that the author reads. */
  readonly note: string;
  readonly raw: unknown;
}

/**
 * The adapter of one store. It is stateless: credentials are arguments, and ids to remember are returned as handles.
 * It throws only `StoreFailure`. An enum value that the store does not document becomes `unknown`, never an exception.
 */
export abstract class Store<Credentials extends object = object> {
  abstract readonly id: StoreId;
  /** The store's name in sentences. */
  abstract readonly title: string;
  abstract readonly capabilities: Capabilities;
  abstract readonly credentialShape: CredentialShape<Credentials>;
  /** How a person makes the item and its credentials. */
  abstract readonly guide: StoreGuide;

  /** The same key for different spellings of one item's id, as far as that can be decided without the store. Pure. */
  itemKeyOf(storeItemId: string): string {
    return storeItemId;
  }

  /** The item's web pages. Pure. */
  abstract pagesOf(item: ItemIds): StorePages;

  /** Checks with the store whether these credentials work, by its cheapest read. Changes nothing. */
  abstract verify(credentials: Credentials): Promise<VerifiedIdentity>;

  /** Reads the item's state. Changes nothing. */
  abstract observe(credentials: Credentials, item: StoreItem): Promise<Observed>;

  /**
   * Carries out one step.
   * @param key identifies this attempt in Pierhead's records, for stores that take an idempotency key
   */
  abstract carryOut(credentials: Credentials, item: StoreItem, step: StoreStep, key: string): Promise<StepOutcome>;
}
