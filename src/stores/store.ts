import type { Readable } from 'node:stream';
import type { CredentialShape, VerifiedIdentity } from '../common/fields/index.js';
import type { AnnouncementAddress, SignedAnnouncement } from './announcements.js';
import type { Capabilities } from './capabilities.dto.js';
import type { FigurePart, FigureRange } from './figures.js';
import type { ReleaseNotes } from './release-notes.js';
import type { ListedReviews, ReviewAnswer } from './reviews.js';
import { StoreFailure } from './failures/store-failure.js';
import type { StoreGuide } from './store-guide.js';
import type { Finding, PreflightTarget } from './preflight/pure.js';

export type { Capabilities } from './capabilities.dto.js';
export type { CredentialField, CredentialShape, VerifiedIdentity } from '../common/fields/index.js';

/** The extension stores, in display order. */
export const STORE_IDS = ['chrome', 'firefox', 'edge', 'safari'] as const;
export type StoreId = (typeof STORE_IDS)[number];

/** Compares what belongs to stores by their display order. */
export const byStore = (one: { readonly store: StoreId }, other: { readonly store: StoreId }): number =>
  STORE_IDS.indexOf(one.store) - STORE_IDS.indexOf(other.store);

/** A value that a store reports (`null` for "none"), or the fact that it does not report one. */
export type Known<T> = { readonly known: true; readonly value: T } | { readonly known: false };
export const UNKNOWN: { readonly known: false } = { known: false };
export const known = <T>(value: T): Known<T> => ({ known: true, value });
/** Returns the value that a store reports, or `otherwise` where it reports none. */
export const knownOr = <T, Otherwise>(reported: Known<T>, otherwise: Otherwise): T | Otherwise =>
  reported.known ? reported.value : otherwise;

/** The states between "submitted" and "live", independent of any store's names. */
export const SUBMISSION_STATES = ['in_review', 'approved', 'releasing', 'rejected', 'cancelled', 'unknown'] as const;
export type SubmissionState = (typeof SUBMISSION_STATES)[number];

export interface Submission {
  readonly version: string;
  readonly state: SubmissionState;
  /** Why it was rejected, in the store's words, redacted; absent where the API does not say. */
  readonly words?: string;
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
  /** Digest of the file that users get, as the store writes it; absent where the store tells none. */
  readonly fileDigest?: string | undefined;
  /** The store's canonical id of the item, when it differs in form from `storeItemId`. */
  readonly itemId?: string | undefined;
  /** The store's answer, redacted. It is kept on the event. */
  readonly raw: unknown;
}

/** The target's item at the store. */
export interface StoreItem {
  readonly storeItemId: string;
  readonly crxId: string | null;
  readonly platforms: readonly string[];
  /** One of the store's `channels`; null where it has none. */
  readonly channel: string | null;
  /** Ids that the store assigned during this release (upload, operation, submission), by name. */
  readonly handles: Readonly<Record<string, string>>;
}

/** An item whose figures are read. */
export interface CountedItem extends StoreItem {
  /** The country whose ratings are wanted, where the store has ratings by country. */
  readonly storefront: string;
}

/** The file of an item that a store serves to users. */
export interface ServedFile {
  readonly version: string;
  readonly url: string;
  /** As the store tells it, in hex; null where it tells none. */
  readonly sha256: string | null;
}

/** The part of an item that its pages depend on. */
export interface ItemIds extends Pick<StoreItem, 'crxId' | 'channel'> {
  /** Null while the target has no item. */
  readonly storeItemId: string | null;
  /** Id of the account, as `verify` told it; null for none or without a credential. */
  readonly account: string | null;
}

/** Web pages of an item. */
export interface StorePages {
  /** The public listing; null where there is none or its URL is not known. */
  readonly listing: string | null;
  /** The item's page in the author's dashboard, as near as the ids lead. */
  readonly dashboard: string;
  /** The page there that asks for justifications, as near as the ids lead; null where the store has none. */
  readonly privacy: string | null;
}

/** Forms of a package: a zip, a zip that its author signed for the Chrome Web Store, or an app for macOS or iOS that was signed for the App Store. */
export const PACKAGE_FORMATS = ['zip', 'crx', 'pkg', 'ipa'] as const;
export type PackageFormat = (typeof PACKAGE_FORMATS)[number];

/** A part of a package, in bytes. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** A package, opened only when it is sent. */
export interface StorePackage {
  /** `zip` when absent. */
  readonly format?: PackageFormat;
  readonly version: string;
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  /** Of a signed package; absent for a zip. */
  readonly buildNumber?: string;
  /** @param range the bytes to read; all when absent */
  open(range?: ByteRange): Promise<Readable>;
}

/** The author's declaration about encryption in a build. It is a legal statement, so there is no default. */
export const ENCRYPTION_ANSWERS = ['exempt', 'nonExempt'] as const;
export type EncryptionAnswer = (typeof ENCRYPTION_ANSWERS)[number];

/** A build of a version that the store makes itself, from a tag in the author's repository. */
export interface CloudBuild {
  /** The store's id of the workflow. */
  readonly workflow: string;
  /** Name of the tag. */
  readonly tag: string;
  /** When a person last asked for the version: what failed before then is begun again. Null when nobody has. */
  readonly askedAt: Date | null;
  /** The attempt before this one, on any platform, was not clearly answered; or one before it on this platform. */
  readonly isUnclear: boolean;
  readonly wasUnclear: boolean;
  /** The ids that the store assigned for the version on the target's other platforms, which share its builds. */
  readonly others: readonly StoreItem['handles'][];
}

/** Options of a submission. Those that the store's capabilities do not cover are never set. */
export interface SubmitOptions extends ReleaseNotes {
  /** Once approved, it waits until it is released. */
  readonly staged: boolean;
  /** Percentage of users to start with; null for all. */
  readonly rolloutPercent: number | null;
  /** Notes that only the store's reviewers see. */
  readonly reviewerNotes: string | null;
  /** The archive with the source code. */
  readonly source: StorePackage | null;
  /** Skip the review; if the store requires one, the version is submitted with a review. */
  readonly skipReview: boolean;
  /** The author's declaration about encryption in the build. */
  readonly encryption: EncryptionAnswer | null;
  /** How the store builds the version where nobody has delivered it; null when it does not. */
  readonly cloudBuild: CloudBuild | null;
}

/** Live for all users as soon as it is approved. */
export const DEFAULT_SUBMIT_OPTIONS: SubmitOptions = {
  staged: false,
  rolloutPercent: null,
  notes: null,
  localizedNotes: {},
  reviewerNotes: null,
  source: null,
  skipReview: false,
  encryption: null,
  cloudBuild: null,
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
  /** Its name where there is little room, and beside other stores. */
  abstract readonly name: string;
  /** Other names of it, in lower case, beside its id and its names. */
  abstract readonly aliases: readonly string[];
  abstract readonly capabilities: Capabilities;
  abstract readonly credentialShape: CredentialShape<Credentials>;
  /** Guide for a person who makes the item and its credentials. */
  abstract readonly guide: StoreGuide;

  /** The same key for different spellings of one item's id, as far as that can be decided without the store. Pure. */
  itemKeyOf(storeItemId: string): string {
    return storeItemId;
  }

  /** Whether the id in a manifest (`gecko.id`) belongs to another item; false where the item's id does not tell. Pure. */
  protected isOtherItem(_storeItemId: string, _manifestId: string): boolean {
    return false;
  }

  /** This store's findings in a package that matter to a target. Pure. */
  concerning<One extends Finding & { readonly store: StoreId }>(
    findings: readonly One[],
    { channel, storeItemId }: PreflightTarget,
  ): readonly One[] {
    return findings.filter(
      ({ store, channels, itemId }) =>
        store === this.id &&
        (channels === undefined || channel === null || channels.includes(channel)) &&
        (itemId === undefined || (storeItemId !== null && this.isOtherItem(storeItemId, itemId))),
    );
  }

  /** The item's web pages. Pure. */
  abstract pagesOf(item: ItemIds): StorePages;

  /**
   * Checks with the store whether these credentials work, by its cheapest read. Changes nothing.
   * @param storeItemIds items of the account, for a store that proves an account only by one of these
   */
  abstract verify(credentials: Credentials, storeItemIds?: readonly string[]): Promise<VerifiedIdentity>;

  /** Reads the item's state. Changes nothing. */
  abstract observe(credentials: Credentials, item: StoreItem): Promise<Observed>;

  /**
   * The readings of what the store counts of an item, to be made one after another. They change nothing.
   * @param _range the days that are wanted; days that the store does not tell are left out
   * @returns none where the store counts nothing, as its capabilities say
   */
  figures(_credentials: Credentials, _item: CountedItem, _range: FigureRange): readonly FigurePart[] {
    return [];
  }

  /**
   * Reads the newest reviews that users wrote about an item. Changes nothing.
   * @returns null while the store shows none of them, since it does not show the item; nothing where it tells none, as its capabilities say
   */
  reviews(_credentials: Credentials, _item: StoreItem): Promise<ListedReviews | null> {
    return Promise.resolve({ reviews: [], isComplete: true });
  }

  /** The page at which a person answers a review, as near as the ids lead. Pure. */
  reviewPageOf(item: ItemIds, _reviewId: string): string {
    return this.pagesOf(item).dashboard;
  }

  /**
   * Answers a review publicly, in place of an earlier answer. The same again changes nothing.
   * @param _text null takes the answer back
   */
  answerReview(
    _credentials: Credentials,
    _item: StoreItem,
    _reviewId: string,
    _text: string | null,
  ): Promise<ReviewAnswer | null> {
    return Promise.reject(new StoreFailure('config', `${this.title} takes no answers to reviews by its API.`));
  }

  /** Asks for the file that users of an item get. Needs no credentials. @throws StoreFailure `wait` while everybody is offered none */
  servedFile(_item: Pick<ItemIds, 'storeItemId' | 'crxId'>): Promise<ServedFile> {
    return Promise.reject(new StoreFailure('config', `Pierhead reads no files of ${this.title}.`));
  }

  /**
   * Downloads that file into a new one, which is the caller's to remove.
   * @throws StoreFailure also where the address is none of the store's, or the file not the one that it offers
   */
  download(_file: ServedFile, _path: string, _maxBytes: number): Promise<void> {
    return Promise.reject(new StoreFailure('config', `Pierhead reads no files of ${this.title}.`));
  }

  /**
   * Has the store announce changes of an item. The same again changes nothing.
   * @returns the store's id of the webhook; null where the store announces nothing, as its capabilities say
   */
  announceTo(_credentials: Credentials, _item: StoreItem, _to: AnnouncementAddress): Promise<string | null> {
    return Promise.resolve(null);
  }

  /** Reads the id of an announcement, which is the same when it is repeated; null when it is not signed with the secret. Pure. */
  announcementOf(_request: SignedAnnouncement, _secret: string): string | null {
    return null;
  }

  /**
   * Carries out one step.
   * @param key identifies this attempt in Pierhead's records, for stores that take an idempotency key
   */
  abstract carryOut(credentials: Credentials, item: StoreItem, step: StoreStep, key: string): Promise<StepOutcome>;
}
