/** The two calls of the API that the store works on afterwards (docs/stores.md#edge-operations). */
export type OperationOf = 'upload' | 'publish';

/** How far the store is with an operation. */
export type OperationState = 'in_progress' | 'succeeded' | 'failed' | 'unknown';

/** An `Operation` as the API answers it (docs/stores.md#edge-operations). */
export interface Operation {
  readonly state: OperationState;
  /** Empty where the store names none. */
  readonly errorCode: string;
  readonly message: string;
  /** What each of `errors` says. */
  readonly errors: readonly string[];
  /** Redacted. */
  readonly raw: unknown;
}
