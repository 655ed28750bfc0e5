import { SERVED_AS_SENT, type Served, type ServingBehavior } from '../served-file.js';
import type { FiguresOfItem } from './figures.js';
import type { ReviewsOfItem } from './user-reviews.js';

/** ItemState values a submission can have (src/stores/README.md#chrome-status). */
export type SubmittedState = 'PENDING_REVIEW' | 'STAGED' | 'REJECTED' | 'CANCELLED';
/** ItemState values of what is live (src/stores/README.md#chrome-status). */
export type PublishedState = 'PUBLISHED' | 'PUBLISHED_TO_TESTERS';
/** Consequence of approval: publication, or waiting for a release (src/stores/README.md#chrome-publish). */
export type PublishType = 'DEFAULT_PUBLISH' | 'STAGED_PUBLISH';

/** A package the store holds; `sha256` and `size` are `null` when the control plane created it. */
export interface StoredPackage {
  readonly version: string;
  readonly sha256: string | null;
  readonly size: number | null;
}

/** A revision that was submitted for review. */
export interface Submission {
  readonly package: StoredPackage;
  readonly state: SubmittedState;
  readonly publishType: PublishType;
  readonly deployPercentage: number;
  readonly submittedAt: Date;
  /** fetchStatus calls since then. */
  readonly polls: number;
}

/** The revision that users get. */
export interface Publication {
  readonly package: StoredPackage;
  readonly deployPercentage: number;
  readonly publishedAt: Date;
}

/** The last upload that was processed asynchronously. With `ABSENT`, fetchStatus does not report it once it has ended. */
export interface AsyncUpload {
  readonly state: 'IN_PROGRESS' | AsyncOutcome;
  readonly startedAt: Date;
  readonly pollsLeft: number;
  readonly package: StoredPackage;
}

/** How an asynchronous upload ends. */
export type AsyncOutcome = 'SUCCEEDED' | 'FAILED' | 'ABSENT';

/** How an item behaves; set when it is created and by `PATCH /__sim/chrome/items/{id}`. */
export interface ItemBehavior extends ServingBehavior {
  /** The dashboard's visibility; `private` publishes to testers only. */
  readonly visibility: 'public' | 'unlisted' | 'private';
  /** Seven-day active users; raising a rollout needs 10 000. */
  readonly weeklyUsers: number;
  /** The percentage saved in the dashboard, used when `publish` names none. */
  readonly dashboardDeployPercentage: number;
  /** Whether updates are of the kind that may skip review. */
  readonly skipReviewQualifies: boolean;
  /**
   * The method is documented and absent from the store's discovery document: it may work, be missing, or be
   * unimplemented (src/stores/README.md#chrome-rollback).
   */
  readonly rollbackMethod: 'available' | 'absent' | 'unimplemented';
  /** The warnings of `publish`. */
  readonly warnings: readonly PublishWarning[];
  /** Gap in the dashboard, with which `publish` fails. */
  readonly publishCondition: string | null;
  /**
   * Closed to changes though fetchStatus shows no submission, as while the listing alone is in review: the words in which uploads and
   * submissions are refused.
   */
  readonly closedFor: string | null;
  /** Opted in to Verified CRX Uploads. */
  readonly verifiedCrx: boolean;
  /** The public key, in PEM, that was given when it opted in; null: any signature is taken. */
  readonly verifiedKey: string | null;
  /** fetchStatus calls that find an upload still in progress; `null` processes uploads at once. */
  readonly asyncUploadPolls: number | null;
  readonly asyncUploadOutcome: AsyncOutcome;
  /** The reference's prose and its enum differ (src/stores/README.md#chrome-upload). */
  readonly uploadInProgressSpelling: 'IN_PROGRESS' | 'UPLOAD_IN_PROGRESS';
  /** Approves this long after the submission. */
  readonly approveAfterSeconds: number | null;
  /** Approves once this many fetchStatus calls have found the item in review. */
  readonly approveAfterPolls: number | null;
  /** During a partial rollout, lists the previous version as a second distribution channel. */
  readonly listPreviousChannel: boolean;
  readonly publicKey: string | null;
}

/** An entry of `warningInfo.warnings`. */
export interface PublishWarning {
  readonly reason: string;
  readonly description: string;
}

/** Acts of the store, so that a test can check that nothing was done twice. */
export interface ItemCounters {
  /** Accepted packages. */
  readonly uploads: number;
  /** Accepted `publish` calls, whatever they led to. */
  readonly publishes: number;
  /** Of those, the ones that opened a review. */
  readonly submissions: number;
  /** Of those, the ones that released a staged revision. */
  readonly releases: number;
  readonly cancels: number;
  readonly rollouts: number;
  readonly rollbacks: number;
  readonly fetchStatuses: number;
  /** Refused calls of any kind, after authentication. */
  readonly refused: number;
}

/** An item of the store and everything that belongs to it. */
export interface Item extends ItemBehavior, FiguresOfItem, ReviewsOfItem {
  readonly itemId: string;
  readonly publisherId: string;
  /** As the dashboard lists it. */
  readonly name: string;
  readonly draft: StoredPackage | null;
  readonly submitted: Submission | null;
  readonly published: Publication | null;
  /** Everything that was ever published, oldest first, the live one last. */
  readonly history: readonly StoredPackage[];
  readonly asyncUpload: AsyncUpload | null;
  readonly takenDown: boolean;
  readonly warned: boolean;
  readonly counters: ItemCounters;
  /** The last accepted package. */
  readonly lastUpload: (StoredPackage & { readonly fileName: string | null; readonly at: Date }) | null;
}

const NOTHING_COUNTED: ItemCounters = {
  uploads: 0,
  publishes: 0,
  submissions: 0,
  releases: 0,
  cancels: 0,
  rollouts: 0,
  rollbacks: 0,
  fetchStatuses: 0,
  refused: 0,
};

/** A new item, as created in the dashboard. */
export function newItem(publisherId: string, itemId: string): Item {
  return {
    itemId,
    publisherId,
    name: itemId,
    ...SERVED_AS_SENT,
    visibility: 'public',
    weeklyUsers: 0,
    dashboardDeployPercentage: 100,
    skipReviewQualifies: false,
    rollbackMethod: 'available',
    warnings: [],
    publishCondition: null,
    closedFor: null,
    verifiedCrx: false,
    verifiedKey: null,
    asyncUploadPolls: null,
    asyncUploadOutcome: 'SUCCEEDED',
    uploadInProgressSpelling: 'IN_PROGRESS',
    approveAfterSeconds: null,
    approveAfterPolls: null,
    listPreviousChannel: false,
    publicKey: null,
    draft: null,
    submitted: null,
    published: null,
    history: [],
    asyncUpload: null,
    takenDown: false,
    warned: false,
    days: [],
    stars: [0, 0, 0, 0, 0],
    reviews: [],
    counters: NOTHING_COUNTED,
    lastUpload: null,
  };
}

/** The item with counters increased by one. */
export function counted(item: Item, ...what: readonly (keyof ItemCounters)[]): Item {
  const counters = { ...item.counters };
  for (const name of what) counters[name] += 1;
  return { ...item, counters };
}

/** The state a published revision shows (src/stores/README.md#chrome-status). */
export function publishedState(item: Pick<Item, 'visibility'>): PublishedState {
  return item.visibility === 'private' ? 'PUBLISHED_TO_TESTERS' : 'PUBLISHED';
}

/** The version that everybody gets; none of an item that is unpublished, taken down or for testers (inferred). */
export function servedOf(item: Item | undefined): Served | undefined {
  if (!item?.published || item.takenDown || item.visibility === 'private') return undefined;
  const { servedChanges, servedBytes } = item;
  return { ...item.published.package, servedChanges, servedBytes };
}

/** The resource name of the API. */
export function itemName(item: Item): string {
  return `publishers/${item.publisherId}/items/${item.itemId}`;
}

/**
 * Whether a revision is in review or staged, during which the item cannot change
 * (src/stores/README.md#chrome-rules).
 */
export function isClosed(item: Item): boolean {
  return item.submitted?.state === 'PENDING_REVIEW' || item.submitted?.state === 'STAGED';
}
