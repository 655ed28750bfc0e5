import type { ProcessorId } from '../common/config/index.js';
import type { VerifiedIdentity, CredentialShape } from '../common/fields/index.js';
import type { HttpClient } from '../common/net/index.js';
import { readWithKey } from './api-key.js';
import { checkoutFault, completeCheckout, type CheckoutLink } from './checkout-link.js';
import type { Payload, RefKind } from './payload.js';
import type { PaymentCredentials } from './payment-credentials.js';
import type { PaymentFact } from './payment-fact.js';
import { hmac, isFresh, signersAmong, type Signature, type SignedRequest, type SigningSecret } from './signatures.js';

export { PROCESSOR_IDS, type ProcessorId } from '../common/config/index.js';

/** A notification whose signature is valid. */
export interface PaymentEvent {
  /** The processor's id of the event, the same in every delivery; empty when it sends none. */
  readonly key: string;
  /** The processor's name of the event, such as `invoice.paid`; empty when it gave none. */
  readonly name: string;
  /** The processor's time of the event. */
  readonly at: Date;
  readonly isTest: boolean;
  readonly payload: Payload;
}

/** The object that a notification is about, without which it says nothing; or the items of a sale, which something else may name. */
export type Omission = 'object' | 'items';

/** Form of a purchase's id in the place from which a person copies it. */
export interface PurchaseId {
  readonly kind: RefKind;
  readonly pattern: RegExp;
}

/** The seller's page of a purchase at the processor. */
export interface OrderPage {
  readonly kind: RefKind;
  /** With `{id}` for the id, and `{test}` where a purchase of test mode has a page of its own. */
  readonly url: string;
}

/** One payment processor. Stateless: secrets are arguments. */
export abstract class Processor {
  abstract readonly id: ProcessorId;
  /** The processor's own name, for sentences. */
  abstract readonly title: string;
  /** The ids of purchases that people know, the likeliest first. */
  abstract readonly purchaseIds: readonly PurchaseId[];
  /** The events that can change a license, by the processor's names. The tenant enables these for the webhook at the processor. */
  abstract readonly events: readonly string[];
  /** The event that says which payment paid an invoice, where refunds and disputes name the payment alone; null where they name both. */
  readonly linkEvent: string | null = null;
  /** The event that reports a license key of the processor's own, beside ours; null where it reports none. */
  protected readonly ownKeyEvent: string | null = null;
  /** The seller's pages of purchases, the most telling first; none where an address cannot be told from the ids. */
  readonly orderPages: readonly OrderPage[] = [];
  /** How an address of its checkout carries a claim token. */
  protected abstract readonly checkout: CheckoutLink;
  abstract readonly credentialShape: CredentialShape<PaymentCredentials>;
  /** In lower case. Processors that sign by one standard share it: the secret that signed says which of them it was. */
  abstract readonly signatureHeader: string;

  constructor(
    /** Base address of the API, without a trailing slash. */
    private readonly apiUrl: string,
    private readonly http: HttpClient,
    private readonly clock: { now(): Date },
  ) {}

  /** Whether the API is that of the processor's sandbox, all of whose events are tests. */
  protected get isSandbox(): boolean {
    return /^https?:\/\/(?:sandbox-|test[-.])/.test(this.apiUrl);
  }

  /** The seller's page of a purchase, by the processor's ids as `kind:id`; null where there is none. Pure. */
  orderPageOf(refs: readonly string[], isTest: boolean): string | null {
    for (const { kind, url } of this.orderPages) {
      const ref = refs.find((one) => one.startsWith(`${kind}:`));
      if (ref !== undefined)
        return url
          .replace('{id}', encodeURIComponent(ref.slice(kind.length + 1)))
          .replace('{test}', isTest ? 'test/' : '');
    }
    return null;
  }

  /** Returns what is wrong with the address of a checkout; null when nothing is. Pure. */
  checkoutFault(address: string): string | null {
    const { origin, protocol } = new URL(this.apiUrl);
    return checkoutFault(this.checkout, this.title, address, protocol === 'http:' ? origin : null);
  }

  /** Puts a claim token into the address of a checkout. Pure. */
  checkoutWith(address: string, claimToken: string): string {
    return completeCheckout(this.checkout, address, claimToken);
  }

  /** Whether a request carries this processor's kind of signature, valid or not. */
  isSigned({ headers }: Pick<SignedRequest, 'headers'>): boolean {
    return headers[this.signatureHeader] !== undefined;
  }

  /**
   * The secrets that signed a request; none when the signature is invalid, missing, or too far from `now`. Every secret is tried against
   * every signature in the header, in constant time.
   */
  signersOf<Secret extends SigningSecret>(
    secrets: readonly Secret[],
    request: SignedRequest,
    now: Date,
  ): readonly Secret[] {
    const signature = this.readSignature(request);
    if (signature === null || (signature.time !== null && !isFresh(signature.time, now))) return [];
    return signersAmong(secrets, signature.macs, (secret) =>
      this.keysOf(secret).map((key) => hmac(key, signature.prefix, request.body)),
    );
  }

  /** Reads the envelope of a notification whose signature is valid. @param now used where the event has no time */
  abstract read(payload: Payload, request: SignedRequest, now: Date): PaymentEvent;

  /** Returns the gap of a notification that its processor fills for an API key; null when it is complete. Pure. */
  leavesOut(_payload: Payload): Omission | null {
    return null;
  }

  /** Adds to a notification what it leaves out. @throws PaymentFailure */
  complete(payload: Payload, _apiKey: string): Promise<Payload> {
    return Promise.resolve(payload);
  }

  /** The account that a notification is about, where its platform has a webhook for the events of many; null otherwise. Pure. */
  accountOf(_payload: Payload): string | null {
    return null;
  }

  /** Returns an aside about an event that changes no license; null for none. Pure. */
  aside({ name }: PaymentEvent): string | null {
    return name === this.ownKeyEvent
      ? `${this.title} sends the buyer a license key of its own, which your extension does not accept. Switch license keys off for the product there.`
      : null;
  }

  /** Translates an event into facts; empty when it changes no license. Pure. */
  abstract interpret(event: PaymentEvent): readonly PaymentFact[];

  /**
   * Verifies an `apiKey`, if there is one, by a cheap read. Changes nothing at the processor.
   * @throws PaymentFailure
   */
  async verify({ apiKey }: PaymentCredentials): Promise<VerifiedIdentity> {
    if (apiKey == null) return { identity: 'webhook secret' };
    return { identity: (await this.ownerOf(apiKey)) ?? 'API key' };
  }

  /** Reads the signature of a request; null when it is malformed. */
  protected abstract readSignature(request: SignedRequest): Signature | null;

  /** The keys that the processor may derive from a secret. */
  protected keysOf(secret: string): readonly (string | Buffer)[] {
    return [secret];
  }

  /** Reads whose API key it is; null when the processor does not say. @throws PaymentFailure */
  protected abstract ownerOf(apiKey: string): Promise<string | null>;

  /** The headers that carry an API key. */
  protected headersOf(apiKey: string): Readonly<Record<string, string>> {
    return { authorization: `Bearer ${apiKey}` };
  }

  /** Reads one resource with an API key. @throws PaymentFailure */
  protected readWithKey(path: string, apiKey: string): Promise<Payload> {
    const { http, clock, apiUrl, title } = this;
    return readWithKey({ http, clock, apiUrl, title }, path, this.headersOf(apiKey));
  }
}
