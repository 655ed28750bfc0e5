/**
 * Kinds of a store's failures, by the reaction to them:
 * `credential` the store refuses the key; `config` a person must change something at the store; `artifact` the store will never take this
 * package; `retry` the fault may pass; `wait` nothing is wrong, but it is too early; `done` the store already has what was asked for.
 */
export type FailureKind = 'credential' | 'config' | 'artifact' | 'retry' | 'wait' | 'done';

/** Calls that a store throttles separately: package uploads, and all other changes. */
export type ThrottledCalls = 'uploads' | 'writes';

export interface FailureDetails {
  /** The earliest moment at which the store takes such a call again (`Retry-After`). */
  readonly retryAt?: Date | undefined;
  /** The calls that `retryAt` applies to; absent when it applies to all calls of the credential. */
  readonly throttles?: ThrottledCalls | undefined;
  /** The store reports an open submission of the item, without its version. */
  readonly hasSubmission?: boolean;
  /** The store's operation has ended. Reading it again yields the same answer; only a new attempt can yield another. */
  readonly isFinal?: boolean;
  /** The store has the version itself, so that its number is spent. */
  readonly isNumberSpent?: boolean;
  /** The item takes only packages that are signed with its author's key. */
  readonly needsSignature?: boolean;
  /** The store gives neither a code nor a reason. */
  readonly isUnexplained?: boolean;
  /** The store was not called at all: Pierhead cannot open the credential. */
  readonly isSealed?: boolean;
  /** The store was not called at all: the key cannot be read. */
  readonly isUnreadable?: boolean;
  /** Ids that the store handed out before it failed, to be kept like those of an answer. */
  readonly handles?: Readonly<Record<string, string>>;
  /** HTTP status, when the store answered at all. */
  readonly status?: number | undefined;
  /** The store's answer, redacted. */
  readonly raw?: unknown;
  readonly cause?: unknown;
}

/** The only exception an adapter throws. Its message quotes the store where the store explains itself, and holds no secret. */
export class StoreFailure extends Error {
  override readonly name = 'StoreFailure';

  constructor(
    readonly kind: FailureKind,
    message: string,
    readonly details: FailureDetails = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
  }
}
