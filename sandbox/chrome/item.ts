/** ItemState values a submission can have (docs/stores.md#chrome-status). */
export type SubmittedState = 'PENDING_REVIEW' | 'STAGED' | 'REJECTED' | 'CANCELLED';
/** ItemState values of what is live (docs/stores.md#chrome-status). */
export type PublishedState = 'PUBLISHED' | 'PUBLISHED_TO_TESTERS';
/** What approval leads to: publication, or a rest until it is asked for (docs/stores.md#chrome-publish). */
export type PublishType = 'DEFAULT_PUBLISH' | 'STAGED_PUBLISH';

/** A package the store holds; `sha256` and `size` are `null` where the control plane made it up. */
export interface StoredPackage {
  readonly version: string;
  readonly sha256: string | null;
  readonly size: number | null;
}

/** A revision that was handed in for review. */
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

/** The last upload that was processed asynchronously. `ABSENT` makes fetchStatus say nothing of it once it is over. */
export interface AsyncUpload {
  readonly state: 'IN_PROGRESS' | AsyncOutcome;
  readonly startedAt: Date;
  readonly pollsLeft: number;
  readonly package: StoredPackage;
}

/** How an asynchronous upload ends. */
export type AsyncOutcome = 'SUCCEEDED' | 'FAILED' | 'ABSENT';

/** How an item behaves; set on making it and by `PATCH /__sim/chrome/items/{id}`. */
export interface ItemKnobs {
  /** The dashboard's visibility; `private` publishes to testers only. */
  readonly visibility: 'public' | 'unlisted' | 'private';
  /** Seven-day active users; raising a rollout needs 10 000. */
  readonly weeklyUsers: number;
  /** The percentage saved in the dashboard, used when `publish` names none. */
  readonly dashboardDeployPercentage: number;
  /** Whether updates are of the kind that may skip review. */
  readonly skipReviewQualifies: boolean;
  /**
   * The method is documented and absent from the store's discovery document: it may work, be no method, or be there
   * unfilled (docs/stores.md#chrome-rollback).
   */
  readonly rollbackMethod: 'available' | 'absent' | 'unimplemented';
  /** What `publish` warns of. */
  readonly warnings: readonly PublishWarning[];
  /** What the dashboard still lacks; `publish` fails with it. */
  readonly publishCondition: string | null;
  /**
   * Closed to changes though fetchStatus shows no submission, as while the listing alone is in review: the words in which uploads and
   * submissions are refused.
   */
  readonly closedFor: string | null;
  /** Opted in to Verified CRX Uploads. */
  readonly verifiedCrx: boolean;
  /** fetchStatus calls that find an upload still in progress; `null` processes uploads at once. */
  readonly asyncUploadPolls: number | null;
  readonly asyncUploadOutcome: AsyncOutcome;
  /** The reference's prose and its enum differ (docs/stores.md#chrome-upload). */
  readonly uploadInProgressSpelling: 'IN_PROGRESS' | 'UPLOAD_IN_PROGRESS';
  /** Approves by itself this long after the submission. */
  readonly approveAfterSeconds: number | null;
  /** Approves by itself once this many fetchStatus calls found the item in review. */
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

/** What the store did, so that a test can see that nothing was done twice. */
export interface ItemCounters {
  /** Packages taken. */
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
  /** Calls of any kind that the store refused, once it had accepted the caller. */
  readonly refused: number;
}

/** An item of the store with everything that is behind it. */
export interface Item extends ItemKnobs {
  readonly itemId: string;
  readonly publisherId: string;
  readonly draft: StoredPackage | null;
  readonly submitted: Submission | null;
  readonly published: Publication | null;
  /** Everything that was ever published, oldest first, the live one last. */
  readonly history: readonly StoredPackage[];
  readonly asyncUpload: AsyncUpload | null;
  readonly takenDown: boolean;
  readonly warned: boolean;
  readonly counters: ItemCounters;
  /** The last package that was taken, whatever became of it. */
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

/** An item as the dashboard makes it, before anything was uploaded by API. */
export function newItem(publisherId: string, itemId: string): Item {
  return {
    itemId,
    publisherId,
    visibility: 'public',
    weeklyUsers: 0,
    dashboardDeployPercentage: 100,
    skipReviewQualifies: false,
    rollbackMethod: 'available',
    warnings: [],
    publishCondition: null,
    closedFor: null,
    verifiedCrx: false,
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
    counters: NOTHING_COUNTED,
    lastUpload: null,
  };
}

/** The item with one more of something it counts. */
export function counted(item: Item, ...what: readonly (keyof ItemCounters)[]): Item {
  const counters = { ...item.counters };
  for (const name of what) counters[name] += 1;
  return { ...item, counters };
}

/** The state a published revision shows (docs/stores.md#chrome-status). */
export function publishedState(item: Item): PublishedState {
  return item.visibility === 'private' ? 'PUBLISHED_TO_TESTERS' : 'PUBLISHED';
}

/** The resource name of the API. */
export function itemName(item: Item): string {
  return `publishers/${item.publisherId}/items/${item.itemId}`;
}

/**
 * Whether a revision is in review or waits for its release, which closes the item to changes
 * (docs/stores.md#chrome-rules).
 */
export function isClosed(item: Item): boolean {
  return item.submitted?.state === 'PENDING_REVIEW' || item.submitted?.state === 'STAGED';
}
