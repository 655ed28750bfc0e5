import type { Readable } from 'node:stream';
import type { VersionRule } from './version.js';

/** Every extension store Pierhead knows, in the order in which it shows them. */
export const STORE_IDS = ['chrome', 'firefox', 'edge', 'safari'] as const;
export type StoreId = (typeof STORE_IDS)[number];

/** What a store said about something: a value (which may be "nothing", `null`), or that it cannot be known. */
export type Known<T> = { readonly known: true; readonly value: T } | { readonly known: false };
export const UNKNOWN: { readonly known: false } = { known: false };
export const known = <T>(value: T): Known<T> => ({ known: true, value });

/** What a store's API can do. The engine asks for these and never for a store's name. */
export interface Capabilities extends VersionRule {
  /** The store wants a package from us; `false` where builds reach it by another way. */
  readonly requiresArtifact: boolean;
  readonly canReadLive: boolean;
  readonly canReadInReview: boolean;
  /** A submission in review can be withdrawn. */
  readonly canCancel: boolean;
  /** A newer submission replaces one in review by itself. */
  readonly supersedesPending: boolean;
  /** All uploads go into one draft that nobody can read and anyone with access to the item may replace. */
  readonly sharedDraft: boolean;
  /** An approved version can rest until it is released. */
  readonly stagedRelease: boolean;
  readonly percentRollout: boolean;
  /** Raises the share of users by itself, on a curve of its own; only all of them at once can be asked for. */
  readonly widensByItself: boolean;
  /** Takes a text "what is new" with a version. */
  readonly releaseNotes: boolean;
  /** Takes a text for its reviewers with a version. */
  readonly reviewerNotes: boolean;
  /** Takes the sources of a package whose code was built. */
  readonly sourceUpload: boolean;
  /** Can publish without a review what only changes rules that need none. */
  readonly skipReview: boolean;
  /** Asks of each build whether its encryption is exempt from export rules, which only its author can say. */
  readonly exportCompliance: boolean;
  /** Can serve an older version again, under a new and higher number, without a review. */
  readonly rollback: boolean;
  /** Each platform has versions of its own; they are driven one by one, and an item then names one platform. */
  readonly releasesPerPlatform: boolean;
  /** Values that a target's `channel` may hold, the default first; none where the store has only one. */
  readonly channels: readonly string[];
  /** Values that a target's `platforms` may hold, and what it starts with. */
  readonly platforms: readonly string[];
  readonly defaultPlatforms: readonly string[];
  /** The store addresses its public listing by another id (`crxId`) than its API does. */
  readonly needsCrxId: boolean;
  /** Largest package the store takes, in bytes; `null` where it names none. */
  readonly maxPackageBytes: number | null;
  /** New packages must be of Manifest V3. */
  readonly requiresManifestV3: boolean;
  /** The day by which Manifest V2 is no longer supported, where it still is and that day is announced: `2026-12-31`. */
  readonly manifestV2EndsOn: string | null;
  /** The manifest must name the extension's id at this store. */
  readonly needsGeckoId: boolean;
  /** The manifest must say which data the extension collects. */
  readonly needsDataCollectionPermissions: boolean;
  /** Calls that one credential may make in a minute; beyond it Pierhead waits by itself. */
  readonly callsPerMinute: number;
}

/** Where a version stands between "handed to the store" and "live", in the words of no store. */
export const SUBMISSION_STATES = ['in_review', 'approved', 'releasing', 'rejected', 'cancelled', 'unknown'] as const;
export type SubmissionState = (typeof SUBMISSION_STATES)[number];

export interface Submission {
  readonly version: string;
  readonly state: SubmissionState;
}

/** The state of an asynchronous upload as the store reports it; `none` is "it says nothing". */
export type UploadState = 'none' | 'processing' | 'ready' | 'failed';

/** One look at a store. Nothing in it is guessed: what the store did not say is `UNKNOWN`. */
export interface Observed {
  readonly live: Known<string | null>;
  readonly submission: Known<Submission | null>;
  readonly upload: Known<UploadState>;
  readonly takenDown: boolean;
  /** The store threatens to take the item down. */
  readonly warned: boolean;
  /** Percentage of users who are offered the live version; null where it is all of them or the store does not say. */
  readonly rolloutPercent: number | null;
  /** What the store asks its author before it goes on with the submission, in words; absent where it asks nothing. */
  readonly question?: string | undefined;
  /** The store's own id of the item, in the form of a `storeItemId`; absent where it knows the item by that one only. */
  readonly itemId?: string | undefined;
  /** The store's own answer, redacted, kept on the event. */
  readonly raw: unknown;
}

/** The item at the store that a target stands for. */
export interface StoreItem {
  readonly storeItemId: string;
  readonly crxId: string | null;
  readonly platforms: readonly string[];
  /** One of the store's `channels`; null where it has none. */
  readonly channel: string | null;
  /** Ids the store handed out for the release under way (upload, operation, submission), by name. */
  readonly handles: Readonly<Record<string, string>>;
}

/** What tells an item apart, without a store's answer. */
export type ItemIds = Pick<StoreItem, 'storeItemId' | 'crxId' | 'channel'>;

/** Where people look at an item. */
export interface StorePages {
  /** What users see; null where there is no such page, or its address is not known. */
  readonly listing: string | null;
  /** What its author sees. */
  readonly dashboard: string;
}

/** The package of the version on its way; opened only when it is sent. */
export interface StorePackage {
  readonly version: string;
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  open(): Promise<Readable>;
}

/** What an author declares of the encryption in a build; a legal statement, so that nothing is presumed. */
export const ENCRYPTION_ANSWERS = ['exempt', 'nonExempt'] as const;
export type EncryptionAnswer = (typeof ENCRYPTION_ANSWERS)[number];

/** How a version is submitted. What the store's capabilities lack is never asked of it. */
export interface Submitting {
  /** It rests, once approved, until it is released. */
  readonly staged: boolean;
  /** Percentage of users to begin with; null for all. */
  readonly rolloutPercent: number | null;
  /** What is new, for the store's listing; null when nothing was said. */
  readonly notes: string | null;
  /** What the store's reviewers are told, and nobody else; null when nothing was said. */
  readonly reviewerNotes: string | null;
  /** The archive of sources; null when none was given. */
  readonly source: StorePackage | null;
  /** No review is wanted; a store that insists on one is asked again with it. */
  readonly skipReview: boolean;
  /** The author's answer about the encryption in the build; null when none was given. */
  readonly encryption: EncryptionAnswer | null;
}

/** A submission with nothing special about it: live when approved, for all users. */
export const PLAIN_SUBMISSION: Submitting = {
  staged: false,
  rolloutPercent: null,
  notes: null,
  reviewerNotes: null,
  source: null,
  skipReview: false,
  encryption: null,
};

/** The steps that call a store. `poll` asks again about an upload the store is still working on. */
export type StoreStep =
  | { readonly step: 'upload'; readonly version: string; readonly package: StorePackage }
  | { readonly step: 'poll'; readonly version: string }
  | ({ readonly step: 'submit'; readonly version: string } & Submitting)
  | { readonly step: 'release'; readonly version: string }
  | { readonly step: 'rollout'; readonly version: string; readonly percent: number }
  | { readonly step: 'rollback'; readonly version: string; readonly to: string; readonly reason: string }
  | { readonly step: 'cancel'; readonly version: string };

/**
 * What a store answered to a step. `done`: the step's effect stands. `pending`: accepted, and the store is still at it.
 * `handles` are saved before the next call is made.
 */
export interface StepOutcome {
  readonly outcome: 'done' | 'pending';
  readonly handles?: Readonly<Record<string, string>>;
  /** One sentence for the timeline, in the customer's words. */
  readonly note: string;
  readonly raw: unknown;
}

/** Who a credential turned out to be, as the store names it. */
export interface VerifiedIdentity {
  readonly identity: string;
}

/** One field of a store's credentials, for the person who has to fetch it. */
export interface CredentialField {
  /** As in the request, nested ones with dots: `serviceAccount.private_key`. */
  readonly name: string;
  readonly isSecret: boolean;
  readonly isRequired: boolean;
  /** Where to get it, in words. */
  readonly how: string;
}

/** How a tenant's secrets for a store look. */
export interface CredentialShape<Credentials extends object> {
  /** DTO class that validates them. */
  readonly type: new () => Credentials;
  /** The one secret whose last four characters may be shown. */
  secretOf(credentials: Credentials): string;
  /** The fields, in each form that the store takes; the recommended form first. */
  readonly forms: readonly (readonly CredentialField[])[];
  /** Days after which the store lets them lapse by itself; null where it does not. */
  readonly lapsesAfterDays: number | null;
}

/**
 * One store. Stateless: credentials are arguments, and whatever must be remembered comes back as a handle.
 * Every failure leaves as a `StoreFailure`; an enum value that no document names becomes `unknown` and never an exception.
 */
export abstract class Store<Credentials extends object = object> {
  abstract readonly id: StoreId;
  /** The store's own name, for sentences. */
  abstract readonly title: string;
  abstract readonly capabilities: Capabilities;
  abstract readonly credentialShape: CredentialShape<Credentials>;

  /** What two ways of writing one item have in common, as far as that can be known without asking the store. Pure. */
  itemKeyOf(storeItemId: string): string {
    return storeItemId;
  }

  /** The item's pages for people. Pure. */
  abstract pagesOf(item: ItemIds): StorePages;

  /** Asks the store, by the cheapest read there is, whether these credentials work. Changes nothing there. */
  abstract verify(credentials: Credentials): Promise<VerifiedIdentity>;

  /** Reads the item's state. Changes nothing at the store. */
  abstract observe(credentials: Credentials, item: StoreItem): Promise<Observed>;

  /**
   * Carries one step out.
   * @param key names this attempt in our own records; stores with idempotency keys are given it.
   */
  abstract carryOut(credentials: Credentials, item: StoreItem, step: StoreStep, key: string): Promise<StepOutcome>;
}
