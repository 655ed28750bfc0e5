import { asRecord } from '../../common/net/index.js';
import { idOf, recordsOf, type Payload } from '../payload.js';
import { PaymentCredentials, shapeOf, WebhookSecretField } from '../payment-credentials.js';
import type { PaymentFact } from '../payment-fact.js';
import { Processor, type PaymentEvent, type PurchaseId } from '../processor.js';
import type { Signature, SignedRequest } from '../signatures.js';
import {
  readStandardEvent,
  readStandardSignature,
  STANDARD_SECRET,
  STANDARD_SIGNATURE,
  standardKeyOf,
} from '../standard-webhooks.js';
import { DODO_EVENTS, interpretDodo, OWN_KEY_EVENT } from './dodo.events.js';

/** Credentials of Dodo Payments. */
export class DodoCredentials extends PaymentCredentials {
  @WebhookSecretField({
    min: 22,
    max: 200,
    pattern: STANDARD_SECRET,
    message: 'must be the secret key of the webhook, whole: whsec_ and letters, digits and signs.',
  })
  override webhookSecret!: string;
}

/**
 * Dodo Payments signs by Standard Webhooks (https://docs.dodopayments.com/developer-resources/webhooks). Its test mode is a host with webhooks
 * of its own (https://docs.dodopayments.com/miscellaneous/test-mode-vs-live-mode), so only the address of the API says that events are tests.
 */
export class DodoProcessor extends Processor {
  readonly id = 'dodo';
  readonly title = 'Dodo Payments';
  readonly purchaseIds: readonly PurchaseId[] = [
    { kind: 'payment', pattern: /^pay_/ },
    { kind: 'subscription', pattern: /^sub_/ },
    { kind: 'session', pattern: /^cks_/ },
  ];
  readonly events = DODO_EVENTS;
  /** https://docs.dodopayments.com/features/license-keys */
  protected override readonly ownKeyEvent = OWN_KEY_EVENT;
  readonly signatureHeader = STANDARD_SIGNATURE;
  /** https://docs.dodopayments.com/developer-resources/integration-guide#4-static-payment-links */
  protected readonly checkout = {
    parameter: 'metadata_claimToken',
    hosts: ['checkout.dodopayments.com', 'test.checkout.dodopayments.com'],
  };
  readonly credentialShape = shapeOf(DodoCredentials, {
    webhookSecret: 'Dodo Payments, Settings, Webhooks: the endpoint’s secret key.',
    apiKey: 'Dodo Payments, Developer, API keys: an API key.',
  });

  protected readSignature(request: SignedRequest): Signature | null {
    return readStandardSignature(request);
  }

  protected override keysOf(secret: string): readonly Buffer[] {
    return standardKeyOf(secret);
  }

  read(payload: Payload, request: SignedRequest, now: Date): PaymentEvent {
    return { ...readStandardEvent(payload, request, now), isTest: this.isSandbox };
  }

  interpret({ name, at, payload }: PaymentEvent): readonly PaymentFact[] {
    const data = asRecord(payload['data']);
    return data === undefined ? [] : interpretDodo(name, data, at);
  }

  /** The first brand, or the business without a name: https://docs.dodopayments.com/api-reference/brands/list-brands */
  protected async ownerOf(apiKey: string): Promise<string | null> {
    const [brand] = recordsOf((await this.readWithKey('/brands', apiKey))['items']);
    return idOf(brand?.['name']) ?? idOf(brand?.['business_id']);
  }
}
