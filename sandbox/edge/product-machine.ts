import { randomUUID } from 'node:crypto';
import { compareVersions } from '../chrome/versions.js';
import { counted, type ErrorCode, type Failure, type Operation, type Product, type StoredPackage } from './product.js';

/** Nobody need ask for an operation to end (docs/stores.md#edge-operations). */
const OPERATION_MS = 60_000;

/** What a call to upload or to publish leaves behind. */
export interface Begun {
  readonly product: Product;
  readonly operationId: string;
}

/** Takes a package in, to be looked at later; `offered` is a failure where it is no package at all. */
export function beginUpload(product: Product, offered: StoredPackage | Failure, now: Date): Begun {
  return begun(product, { of: 'upload', pollsLeft: product.uploadPolls, offered, notes: null }, now);
}

/** Takes the order to submit the draft. */
export function beginPublish(product: Product, notes: string | null, now: Date): Begun {
  const order = { of: 'publish', pollsLeft: product.publishPolls, offered: null, notes } as const;
  return begun(counted(product, 'publishes'), order, now);
}

function begun(product: Product, order: Pick<Operation, 'of' | 'pollsLeft' | 'offered' | 'notes'>, now: Date): Begun {
  const operation: Operation = {
    ...order,
    id: randomUUID(),
    status: 'InProgress',
    message: null,
    errorCode: null,
    errors: null,
    createdAt: now,
    updatedAt: now,
  };
  const next = { ...product, operations: [...product.operations, operation] };
  return { product: order.pollsLeft === 0 ? ended(next, operation, now) : next, operationId: operation.id };
}

/** One status call goes by. */
export function passPoll(product: Product, operationId: string, now: Date): Product {
  const operation = product.operations.find(({ id }) => id === operationId);
  if (operation?.status !== 'InProgress') return product;
  if (operation.pollsLeft === 0) return ended(product, operation, now);
  return replaced(product, { ...operation, pollsLeft: operation.pollsLeft - 1 });
}

/** The product as it is now: what was to end by itself has ended. */
export function settle(product: Product, now: Date): Product {
  const due = product.operations.filter(
    ({ status, createdAt }) => status === 'InProgress' && now.getTime() - createdAt.getTime() >= OPERATION_MS,
  );
  const settled = due.reduce((next, operation) => ended(next, operation, now), product);
  const { review, approveAfterSeconds } = settled;
  if (review === null || approveAfterSeconds === null) return settled;
  return now.getTime() >= review.submittedAt.getTime() + approveAfterSeconds * 1000 ? approve(settled) : settled;
}

/** The reviewer says yes. */
export function approve(product: Product): Product {
  return product.review === null ? product : { ...product, live: product.review.package, review: null };
}

/** The reviewer says no, or a person withdraws the submission in Partner Center. */
export function closeReview(product: Product): Product {
  return { ...product, review: null };
}

/**
 * Ends an operation: the gates are asked now, because other calls may have changed the product since it began
 * (docs/stores.md#edge-errors).
 */
function ended(product: Product, operation: Operation, now: Date): Product {
  const planned = product.failures.findIndex((one) => one.of === operation.of);
  const failure = product.failures[planned] ?? gate(product, operation);
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
    const draft = operation.offered as StoredPackage;
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

/** Why an operation cannot succeed, or null (docs/stores.md#edge-errors). */
function gate(product: Product, { of, offered }: Operation): Failure | null {
  if (product.review !== null) {
    return failure('InProgressSubmission', 'Your extension is already in review and cannot be changed now.');
  }
  if (product.unpublishing) return failure('UnpublishInProgress', 'Your extension is being unpublished.');
  if (of === 'upload') return offered !== null && 'errors' in offered ? offered : null;
  return publishGate(product);
}

function publishGate({ createAllowed, incompleteModules, draft, live }: Product): Failure | null {
  if (!createAllowed) return failure('CreateNotAllowed', "Can't create a new submission for this extension.");
  if (incompleteModules.length > 0) {
    return failure('ModuleStateUnPublishable', "The extension can't be published.", incompleteModules);
  }
  if (draft === null) return failure('NoModulesUpdated', 'No modules were updated since the last submission.');
  // A version that is too low passes the upload and fails only here (docs/stores.md#edge-certification).
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

/** A package that is none. */
export const invalidPackage = (description: string): Failure =>
  failure('PackageValidationError', 'The package failed validation.', [description]);

function replaced(product: Product, operation: Operation): Product {
  const operations = product.operations.map((one) => (one.id === operation.id ? operation : one));
  return { ...product, operations };
}
