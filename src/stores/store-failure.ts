/**
 * How a failure at a store is to be treated:
 * `credential` the store refuses the key; `config` a human must act at the store; `artifact` this package will never be
 * taken; `retry` a passing fault; `wait` nothing is wrong, only not yet; `done` what was asked for already stands.
 */
export type FailureKind = 'credential' | 'config' | 'artifact' | 'retry' | 'wait' | 'done';

/** Calls that a store throttles apart from all others: sending a package, and every other change. */
export type ThrottledCalls = 'uploads' | 'writes';

export interface FailureDetails {
  /** The earliest moment at which the store takes such a call again (`Retry-After`). */
  readonly retryAt?: Date | undefined;
  /** The calls that `retryAt` is about; all of the credential's where it is absent. */
  readonly throttles?: ThrottledCalls | undefined;
  /** The store says that a submission of the item is under way, and not of which version. */
  readonly hasSubmission?: boolean;
  /** What the store was at has ended with this; asked about again, it says the same, and only another try says more. */
  readonly isFinal?: boolean;
  /** The store gives neither a code nor a reason. */
  readonly isUnexplained?: boolean;
  /** The store was not asked at all: Pierhead itself cannot open the credential. */
  readonly isSealed?: boolean;
  /** HTTP status, when the store answered at all. */
  readonly status?: number | undefined;
  /** The store's answer, redacted. */
  readonly raw?: unknown;
  readonly cause?: unknown;
}

/** The only exception an adapter throws. Its message is the store's own words where it has any, and holds no secret. */
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
