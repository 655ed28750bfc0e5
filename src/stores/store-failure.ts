/**
 * How a failure at a store is to be treated:
 * `credential` the store refuses the key; `config` a human must act at the store; `artifact` this package will never be
 * taken; `retry` a passing fault; `wait` nothing is wrong, only not yet; `done` what was asked for already stands.
 */
export type FailureKind = 'credential' | 'config' | 'artifact' | 'retry' | 'wait' | 'done';

export interface FailureDetails {
  /** The earliest moment at which the store wants to hear from us again (`Retry-After`). */
  readonly retryAt?: Date | undefined;
  /** The store says that a submission of the item is under way, and not of which version. */
  readonly hasSubmission?: boolean;
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
