/** `credential`: the processor refuses the API key. `retry`: it could not be reached, or sent an unexpected answer. */
export type PaymentFailureKind = 'credential' | 'retry';

/** The only exception that a call to a processor throws. Its message is the processor's own, without secrets. */
export class PaymentFailure extends Error {
  override readonly name = 'PaymentFailure';

  constructor(
    readonly kind: PaymentFailureKind,
    message: string,
    /** The earliest time at which the processor accepts another call. */
    readonly retryAt?: Date,
  ) {
    super(message);
  }
}
