import { randomUUID } from 'node:crypto';
import { compareVersions } from '../versions.js';
import { counted, type ErrorCode, type Failure, type Operation, type Product, type StoredPackage } from './product.js';

/** Operations end after this long even if no client reads them (src/stores/README.md#edge-operations). */
const OPERATION_MS = 60_000;

/** The result of a call to upload or publish. */
export interface StartedOperation {
  readonly product: Product;
  readonly operationId: string;
}

/** Starts an upload; `received` is a failure when the file is not a package. */
export function beginUpload(product: Product, received: StoredPackage | Failure, now: Date): StartedOperation {
  return begun(product, { of: 'upload', pollsLeft: product.uploadPolls, received, notes: null }, now);
}

/** Starts a submission of the draft. */
export function beginPublish(product: Product, notes: string | null, now: Date): StartedOperation {
  const start = { of: 'publish', pollsLeft: product.publishPolls, received: null, notes } as const;
  return begun(counted(product, 'publishes'), start, now);
}

function begun(
  product: Product,
  start: Pick<Operation, 'of' | 'pollsLeft' | 'received' | 'notes'>,
  now: Date,
): StartedOperation {
  const operation: Operation = {
    ...start,
    id: randomUUID(),
    status: 'InProgress',
    message: null,
    errorCode: null,
    errors: null,
    createdAt: now,
    updatedAt: now,
  };
  const next = { ...product, operations: [...product.operations, operation] };
  return { product: start.pollsLeft === 0 ? ended(next, operation, now) : next, operationId: operation.id };
}

/** Counts a status call. */
export function passPoll(product: Product, operationId: string, now: Date): Product {
  const operation = product.operations.find(({ id }) => id === operationId);
  if (operation?.status !== 'InProgress') return product;
  if (operation.pollsLeft === 0) return ended(product, operation, now);
  return replaced(product, { ...operation, pollsLeft: operation.pollsLeft - 1 });
}

/** The current product: operations and reviews that are due to end have ended. */
export function applyDue(product: Product, now: Date): Product {
  const due = product.operations.filter(
    ({ status, createdAt }) => status === 'InProgress' && now.getTime() - createdAt.getTime() >= OPERATION_MS,
  );
  const current = due.reduce((next, operation) => ended(next, operation, now), product);
  const { review, approveAfterSeconds } = current;
  if (review === null || approveAfterSeconds === null) return current;
  return now.getTime() >= review.submittedAt.getTime() + approveAfterSeconds * 1000 ? approve(current) : current;
}

/** Approves the review. */
export function approve(product: Product): Product {
  return product.review === null ? product : { ...product, live: product.review.package, review: null };
}

/** Ends the review without publishing: rejected, or withdrawn in Partner Center. */
export function closeReview(product: Product): Product {
  return { ...product, review: null };
}

/**
 * Ends an operation: its checks run now, because other calls may have changed the product since it started
 * (src/stores/README.md#edge-errors).
 */
function ended(product: Product, operation: Operation, now: Date): Product {
  const planned = product.failures.findIndex((one) => one.of === operation.of);
  const failure = product.failures[planned] ?? failureOf(product, operation);
  if (failure !== null) {
    const failures = product.failures.filter((_, index) => index !== planned);
    const { message, errorCode, errors } = failure;
    const failed: Operation = { ...operation, status: 'Failed', message, errorCode, errors, updatedAt: now };
    return counted(replaced({ ...product, failures }, failed), 'failures');
  }
  const succeeded = (message: string): Operation => ({
    ...operation,
    status: 'Succeeded',
    message,
    errorCode: '',
    updatedAt: now,
  });
  if (operation.of === 'upload') {
    const draft = operation.received as StoredPackage;
    const name = `Successfully updated package to ${draft.version}.zip`;
    return counted({ ...replaced(product, succeeded(name)), draft }, 'uploads');
  }
  const accepted = replaced(product, succeeded(`Successfully created submission with ID ${randomUUID()}`));
  const draft = product.draft;
  if (product.staysInDraft || draft === null) return accepted;
  return counted(
    { ...accepted, draft: null, review: { package: draft, notes: operation.notes, submittedAt: now } },
    'submissions',
  );
}

/** Why an operation cannot succeed, or null (src/stores/README.md#edge-errors). */
function failureOf(product: Product, { of, received }: Operation): Failure | null {
  if (product.review !== null) {
    return failure('InProgressSubmission', 'Your extension is already in review and cannot be changed now.');
  }
  if (product.unpublishing) return failure('UnpublishInProgress', 'Your extension is being unpublished.');
  if (of === 'upload') return received !== null && 'errors' in received ? received : null;
  return publishFailureOf(product);
}

function publishFailureOf({ createAllowed, incompleteModules, draft, live }: Product): Failure | null {
  if (!createAllowed) return failure('CreateNotAllowed', "Can't create a new submission for this extension.");
  if (incompleteModules.length > 0) {
    return failure('ModuleStateUnPublishable', "The extension can't be published.", incompleteModules);
  }
  if (draft === null) return failure('NoModulesUpdated', 'No modules were updated since the last submission.');
  // A version that is too low passes the upload and fails only here (src/stores/README.md#edge-certification).
  if (live === null || compareVersions(draft.version, live.version) > 0) return null;
  return failure('SubmissionValidationError', 'The submission failed validation.', [
    `The version ${draft.version} must be higher than the published version ${live.version}.`,
  ]);
}

const failure = (errorCode: ErrorCode, message: string, errors: readonly string[] = []): Failure => ({
  errorCode,
  message,
  errors,
});

/** The failure for a file that is not a package. */
export const invalidPackage = (description: string): Failure =>
  failure('PackageValidationError', 'The package failed validation.', [description]);

function replaced(product: Product, operation: Operation): Product {
  const operations = product.operations.map((one) => (one.id === operation.id ? operation : one));
  return { ...product, operations };
}
