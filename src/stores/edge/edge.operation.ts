/** The two calls that start an operation (src/stores/README.md#edge-operations). */
export type OperationOf = 'upload' | 'publish';

export type OperationState = 'in_progress' | 'succeeded' | 'failed' | 'unknown';

/** An `Operation` (src/stores/README.md#edge-operations). */
export interface Operation {
  readonly state: OperationState;
  /** Empty when absent. */
  readonly errorCode: string;
  readonly message: string;
  /** The message of each of `errors`. */
  readonly errors: readonly string[];
  /** Redacted. */
  readonly raw: unknown;
}
