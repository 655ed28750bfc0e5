import { asList, asRecord, asText, redact } from '../../common/net/pure.js';
import { known, UNKNOWN, type Known, type Observed, type Submission, type UploadState } from '../store.js';
import { failureKindOf, operationFailure } from './edge.errors.js';
import type { Operation, OperationOf, OperationState } from './edge.operation.js';

/** `Operation.status` (src/stores/README.md#edge-operations). */
const OPERATION_STATES: ReadonlyMap<unknown, OperationState> = new Map([
  ['InProgress', 'in_progress'],
  ['Succeeded', 'succeeded'],
  ['Failed', 'failed'],
]);

/** Maps any `status`, documented or not. */
export function operationStateOf(status: unknown): OperationState {
  return OPERATION_STATES.get(status) ?? 'unknown';
}

/** The meaning of a 202 without an `Operation`. */
export const IN_PROGRESS: Operation = { state: 'in_progress', errorCode: '', message: '', errors: [], raw: null };

/** Reads an `Operation`; null for other answers, such as the `{ id, message }` of a server error (src/stores/README.md#edge-errors). */
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

/** The ids that the store assigned during a release, as the handles keep them. */
export interface EdgeHandles {
  /** The operation of the last upload. */
  readonly uploadOperation?: string | undefined;
  /** The operation of the submission after that upload; empty until there is one. */
  readonly publishOperation?: string | undefined;
  /** The version that both are about. */
  readonly version?: string | undefined;
}

/** The latest operation of the release. */
export function latestOf({ uploadOperation = '', publishOperation = '' }: EdgeHandles): {
  readonly of: OperationOf;
  readonly id: string;
} | null {
  if (publishOperation !== '') return { of: 'publish', id: publishOperation };
  return uploadOperation === '' ? null : { of: 'upload', id: uploadOperation };
}

/** The live version on the public page, and the page's answer. */
export interface Listing {
  readonly live: Known<string>;
  readonly raw: unknown;
}

/**
 * Combines what can be known: the live version from the public page, an upload from its operation, and of a submission only that it failed.
 * `Succeeded` does not prove a review, because the version may rest in draft (src/stores/README.md#edge-certification).
 * @param operation null when there is none, or when the store no longer knows it
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
  const { kind, message } = operationFailure(operation, 'publish');
  if (kind === 'done') return UNKNOWN;
  return known(kind === 'artifact' ? { version, state: 'rejected', words: message } : { version, state: 'cancelled' });
}
