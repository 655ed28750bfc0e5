/** `credential` the processor refuses the API key; `retry` it could not be asked, or gave no answer that means anything. */
export type PaymentFailureKind = 'credential' | 'retry';

/** The only exception that asking a processor throws. Its message is the processor's own words, and holds no secret. */
export class PaymentFailure extends Error {
  override readonly name = 'PaymentFailure';

  constructor(
    readonly kind: PaymentFailureKind,
    message: string,
    /** The earliest moment at which the processor wants to hear from us again. */
    readonly retryAt?: Date,
  ) {
    super(message);
  }
}
