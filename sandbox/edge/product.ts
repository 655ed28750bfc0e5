import { SERVED_AS_SENT, type Served, type ServingBehavior } from '../served-file.js';

/** A package the store holds; `sha256` and `size` are `null` when the control plane created it. */
export interface StoredPackage {
  readonly version: string;
  readonly sha256: string | null;
  readonly size: number | null;
}

/** A version that was submitted for certification. */
export interface Review {
  readonly package: StoredPackage;
  /** Notes for certification, as far as they could be read. */
  readonly notes: string | null;
  readonly submittedAt: Date;
}

/** The codes of failed operations (src/stores/README.md#edge-errors). */
export type ErrorCode =
  | 'CreateNotAllowed'
  | 'NoModulesUpdated'
  | 'InProgressSubmission'
  | 'UnpublishInProgress'
  | 'ModuleStateUnPublishable'
  | 'PackageValidationError'
  | 'SubmissionValidationError';

/** Why an operation fails; all three are `null` when the store gives no reason (MicrosoftEdge-Extensions#175). */
export interface Failure {
  readonly errorCode: string | null;
  readonly message: string | null;
  readonly errors: readonly string[] | null;
}

/** A failure that the control plane has arranged for the next operation of a kind. */
export interface PlannedFailure extends Failure {
  readonly of: 'upload' | 'publish';
}

/** An asynchronous operation (src/stores/README.md#edge-operations). */
export interface Operation {
  readonly id: string;
  readonly of: 'upload' | 'publish';
  readonly status: 'InProgress' | 'Succeeded' | 'Failed';
  readonly message: string | null;
  readonly errorCode: string | null;
  readonly errors: readonly string[] | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Status calls that still find it in progress. */
  readonly pollsLeft: number;
  /** The package of an upload, or why it is none. */
  readonly received: StoredPackage | Failure | null;
  readonly notes: string | null;
}

/** How a product behaves; set when it is created and by `PATCH /__sim/edge/products/{id}`. */
export interface ProductBehavior extends ServingBehavior {
  /** Status calls that find an upload, or a submission, still in progress; each ends after a minute at the latest. */
  readonly uploadPolls: number;
  readonly publishPolls: number;
  /**
   * A status call that finds its operation in progress answers 202, as Microsoft's sample script expects, instead of
   * the reference's 200 (src/stores/README.md#edge-operations).
   */
  readonly inProgressIs202: boolean;
  /** A submission is refused with 409 at once while another is in review; otherwise it is accepted and its operation fails. */
  readonly conflictsInReview: boolean;
  /** The first version was published by hand; without it nothing can be submitted by API. */
  readonly createAllowed: boolean;
  /** Modules that lack something; a submission fails with them. */
  readonly incompleteModules: readonly string[];
  readonly unpublishing: boolean;
  /** A submission "succeeds" but stays in draft (src/stores/README.md#edge-certification). */
  readonly staysInDraft: boolean;
  /** Whether the public page shows the listing. */
  readonly isPublic: boolean;
  /** Approves the review this long after the submission. */
  readonly approveAfterSeconds: number | null;
  /** Operations that fail, the next one first. */
  readonly failures: readonly PlannedFailure[];
}

/** Acts of the store, so that a test can check that nothing was done twice. */
export interface ProductCounters {
  /** Packages taken as the draft. */
  readonly uploads: number;
  /** Accepted calls for a submission, whether or not the operation succeeds. */
  readonly publishes: number;
  /** Of those, the ones that opened a review. */
  readonly submissions: number;
  /** Operations that failed. */
  readonly failures: number;
}

/** A product of Partner Center and everything that belongs to it. */
export interface Product extends ProductBehavior {
  readonly productId: string;
  readonly crxId: string;
  readonly clientId: string;
  /** As Partner Center lists it. */
  readonly name: string;
  /** Uploaded and not submitted since. */
  readonly draft: StoredPackage | null;
  readonly review: Review | null;
  readonly live: StoredPackage | null;
  readonly operations: readonly Operation[];
  readonly counters: ProductCounters;
}

/** A new product, as created in Partner Center. */
export function newProduct(clientId: string, productId: string, crxId: string): Product {
  return {
    productId,
    crxId,
    clientId,
    name: productId,
    ...SERVED_AS_SENT,
    uploadPolls: 0,
    publishPolls: 0,
    inProgressIs202: false,
    conflictsInReview: false,
    createAllowed: true,
    incompleteModules: [],
    unpublishing: false,
    staysInDraft: false,
    isPublic: true,
    approveAfterSeconds: null,
    failures: [],
    draft: null,
    review: null,
    live: null,
    operations: [],
    counters: { uploads: 0, publishes: 0, submissions: 0, failures: 0 },
  };
}

/** The version that everybody gets; none of a product that the public page does not show (inferred). */
export function servedOf(product: Product | undefined): Served | undefined {
  if (!product?.live || !product.isPublic) return undefined;
  const { servedChanges, servedBytes } = product;
  return { ...product.live, servedChanges, servedBytes };
}

/** The product with one more of something it counts. */
export function counted(product: Product, what: keyof ProductCounters): Product {
  return { ...product, counters: { ...product.counters, [what]: product.counters[what] + 1 } };
}
