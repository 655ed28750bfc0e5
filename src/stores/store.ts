import type { Readable } from 'node:stream';

/** Every extension store Pierhead knows, in the order in which it shows them. */
export const STORE_IDS = ['chrome', 'firefox', 'edge', 'safari'] as const;
export type StoreId = (typeof STORE_IDS)[number];

/** What a store said about something: a value (which may be "nothing", `null`), or that it cannot be known. */
export type Known<T> = { readonly known: true; readonly value: T } | { readonly known: false };
export const UNKNOWN: { readonly known: false } = { known: false };
export const known = <T>(value: T): Known<T> => ({ known: true, value });

/** What a store's API can do. The engine asks for these and never for a store's name. */
export interface Capabilities {
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
  /** Values that a target's `platforms` may hold, and what it starts with. */
  readonly platforms: readonly string[];
  readonly defaultPlatforms: readonly string[];
  /** The store addresses its public listing by another id (`crxId`) than its API does. */
  readonly needsCrxId: boolean;
  /** Largest package the store takes, in bytes; `null` where it names none. */
  readonly maxPackageBytes: number | null;
  /** New packages must be of Manifest V3. */
  readonly requiresManifestV3: boolean;
  /** The manifest must name the extension's id at this store. */
  readonly needsGeckoId: boolean;
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
  /** The store's own answer, redacted, kept on the event. */
  readonly raw: unknown;
}

/** The item at the store that a target stands for. */
export interface StoreItem {
  readonly storeItemId: string;
  readonly crxId: string | null;
  readonly platforms: readonly string[];
  /** Ids the store handed out for the release under way (upload, operation, submission), by name. */
  readonly handles: Readonly<Record<string, string>>;
}

/** The package of the version on its way; opened only when it is sent. */
export interface StorePackage {
  readonly version: string;
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  open(): Promise<Readable>;
}

/** The steps that call a store. `poll` asks again about an upload the store is still working on. */
export type StoreStep =
  | { readonly step: 'upload'; readonly version: string; readonly package: StorePackage }
  | { readonly step: 'poll'; readonly version: string }
  | { readonly step: 'submit'; readonly version: string; readonly staged: boolean }
  | { readonly step: 'release'; readonly version: string }
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

/** How a tenant's secrets for a store look. */
export interface CredentialShape<Credentials extends object> {
  /** DTO class that validates them. */
  readonly type: new () => Credentials;
  /** The one secret whose last four characters may be shown. */
  secretOf(credentials: Credentials): string;
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
  /** Whether Pierhead can drive this store; until then its targets say so and no credentials are taken. */
  readonly isSupported: boolean = true;

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
