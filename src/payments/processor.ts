import type { Payload } from './payload.js';
import type { PaymentCredentials, PaymentCredentialShape } from './payment-credentials.js';
import type { PaymentFact } from './payment-fact.js';
import type { SignedRequest, SigningSecret } from './signatures.js';

/** Every payment processor Pierhead knows, in the order in which it shows them. */
export const PROCESSOR_IDS = ['stripe', 'paddle', 'lemonsqueezy', 'polar'] as const;
export type ProcessorId = (typeof PROCESSOR_IDS)[number];

/** A notification after its signature was found to be right. */
export interface PaymentEvent {
  /** Names the event at its processor, the same in every delivery of it. */
  readonly key: string;
  /** The processor's word for what happened, such as `invoice.paid`; empty when it gave none. */
  readonly name: string;
  /** The processor's time of the event. */
  readonly at: Date;
  readonly isTest: boolean;
  readonly payload: Payload;
}

/** One payment processor. Stateless: secrets are arguments. */
export interface Processor {
  readonly id: ProcessorId;
  /** The processor's own name, for sentences. */
  readonly title: string;
  readonly credentialShape: PaymentCredentialShape;

  /** Whether a request carries this processor's kind of signature, right or wrong. */
  isSigned(request: Pick<SignedRequest, 'headers'>): boolean;

  /**
   * The secrets that signed the request, none when the signature is wrong, missing, or further than 300 s from `now`.
   * Every secret is tried against every signature in the header, in constant time.
   */
  verify<Secret extends SigningSecret>(
    secrets: readonly Secret[],
    request: SignedRequest,
    now: Date,
  ): readonly Secret[];

  /** Reads the envelope of a notification whose signature is right. @param now stands in where the event names no time */
  read(payload: Payload, request: SignedRequest, now: Date): PaymentEvent;

  /** What an event means, as facts; pure, and empty for whatever changes no license. */
  interpret(event: PaymentEvent): readonly PaymentFact[];

  /**
   * With an `apiKey`, asks the processor by a cheap read whether it works; changes nothing there.
   * @returns whose key it is, in the processor's words
   * @throws PaymentFailure
   */
  verifyCredential(credentials: PaymentCredentials): Promise<{ readonly identity: string }>;
}
