import { asList, asRecord, asText, redact } from '../../common/net/index.js';
import { known, UNKNOWN, type Known, type Observed, type Submission, type UploadState } from '../store.js';
import { failureKindOf } from './edge.errors.js';
import type { Operation, OperationOf, OperationState } from './edge.operation.js';

/** `Operation.status` (docs/stores.md#edge-operations). */
const OPERATION_STATES: ReadonlyMap<unknown, OperationState> = new Map([
  ['InProgress', 'in_progress'],
  ['Succeeded', 'succeeded'],
  ['Failed', 'failed'],
]);

/** Maps any `status`, known to us or not. */
export function operationStateOf(status: unknown): OperationState {
  return OPERATION_STATES.get(status) ?? 'unknown';
}

/** What an answer of 202 without an `Operation` in it says. */
export const IN_PROGRESS: Operation = { state: 'in_progress', errorCode: '', message: '', errors: [], raw: null };

/**
 * Reads an `Operation`; null when the answer is none, such as the `{ id, message }` of a store in trouble
 * (docs/stores.md#edge-errors).
 */
export function operationFrom(json: unknown): Operation | null {
  const answer = asRecord(json);
  const status = asText(answer?.['status']);
  if (status === undefined) return null;
  const errors = asList(answer?.['errors']).map((one) => asText(asRecord(one)?.['message']) ?? asText(one));
  return {
    state: operationStateOf(status),
    errorCode: asText(answer?.['errorCode']) ?? '',
    message: asText(answer?.['message']) ?? '',
    errors: errors.filter((one) => one !== undefined),
    raw: redact(json),
  };
}

/** What the store handed out for a release, as the handles keep it. */
export interface EdgeHandles {
  /** Operation of the last upload. */
  readonly uploadOperation?: string | undefined;
  /** Operation of the submission that followed that upload; empty until there is one. */
  readonly publishOperation?: string | undefined;
  /** The version of both. */
  readonly version?: string | undefined;
}

/** The operation that is worth asking about: the latest that the store handed out. */
export function latestOf({ uploadOperation = '', publishOperation = '' }: EdgeHandles): {
  readonly of: OperationOf;
  readonly id: string;
} | null {
  if (publishOperation !== '') return { of: 'publish', id: publishOperation };
  return uploadOperation === '' ? null : { of: 'upload', id: uploadOperation };
}

/** What the public page said of the version that users get, and its answer. */
export interface Listing {
  readonly live: Known<string>;
  readonly raw: unknown;
}

/**
 * Puts together what can be known: what is live from the public page, an upload from its operation, and of a submission only that
 * it did not come about. `Succeeded` is no review: the version may rest in draft (docs/stores.md#edge-certification).
 * @param operation null where there is none to ask about, or the store knows it no longer
 */
export function observedFrom(handles: EdgeHandles, operation: Operation | null, listing: Listing): Observed {
  const of = latestOf(handles)?.of ?? 'upload';
  return {
    live: listing.live,
    submission: of === 'publish' ? submissionOf(operation, handles.version) : UNKNOWN,
    upload: of === 'upload' ? uploadOf(operation) : UNKNOWN,
    takenDown: false,
    warned: false,
    rolloutPercent: null,
    raw: { operation: operation?.raw ?? null, listing: listing.raw },
  };
}

function uploadOf(operation: Operation | null): Known<UploadState> {
  switch (operation?.state) {
    case undefined:
      return known('none');
    case 'in_progress':
      return known('processing');
    case 'succeeded':
      return known('ready');
    case 'failed':
      return known(failureKindOf(operation, 'upload') === 'done' ? 'ready' : 'failed');
    case 'unknown':
      return UNKNOWN;
  }
}

function submissionOf(operation: Operation | null, version: string | undefined): Known<Submission | null> {
  if (operation?.state !== 'failed' || version === undefined) return UNKNOWN;
  const kind = failureKindOf(operation, 'publish');
  if (kind === 'done') return UNKNOWN;
  return known({ version, state: kind === 'artifact' ? 'rejected' : 'cancelled' });
}
