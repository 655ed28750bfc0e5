import { asRecord } from '../../common/net/index.js';
import { valueAt, emailOf, timeOf, eventNameOf, type Payload } from '../payload.js';
import { PaymentCredentials, shapeOf, WebhookSecretField } from '../payment-credentials.js';
import type { PaymentFact } from '../payment-fact.js';
import { Processor, type PaymentEvent, type OrderPage, type PurchaseId } from '../processor.js';
import { macsInHex, onlyHeader, type Signature, type SignedRequest } from '../signatures.js';
import { interpretLemonSqueezy, LEMON_SQUEEZY_EVENTS, OWN_KEY_EVENT } from './lemonsqueezy.events.js';

const HEADER = 'x-signature';

/** Credentials of Lemon Squeezy. */
export class LemonSqueezyCredentials extends PaymentCredentials {
  @WebhookSecretField({
    min: 6,
    max: 40,
    pattern: /^[\x20-\x7e]+$/,
    message: 'must be the signing secret of the webhook, 6 to 40 characters of ASCII.',
  })
  override webhookSecret!: string;
}

/** Lemon Squeezy signs the body alone, and sends neither a time of signing nor an event id. */
export class LemonSqueezyProcessor extends Processor {
  readonly id = 'lemonsqueezy';
  readonly title = 'Lemon Squeezy';
  readonly purchaseIds: readonly PurchaseId[] = [
    { kind: 'order', pattern: /^\d+$/ },
    { kind: 'subscription', pattern: /^\d+$/ },
  ];
  override readonly orderPages: readonly OrderPage[] = [
    { kind: 'order', url: 'https://app.lemonsqueezy.com/orders/{id}' },
    { kind: 'subscription', url: 'https://app.lemonsqueezy.com/subscriptions/{id}' },
  ];
  readonly events = LEMON_SQUEEZY_EVENTS;
  /** https://docs.lemonsqueezy.com/help/licensing/generating-license-keys */
  protected override readonly ownKeyEvent = OWN_KEY_EVENT;
  readonly signatureHeader = HEADER;
  /** https://docs.lemonsqueezy.com/help/checkout/passing-custom-data; a store may be on a domain of the seller's. */
  protected readonly checkout = {
    parameter: 'checkout[custom][claimToken]',
    hosts: null,
    unfit: {
      address: /^https:\/\/app\.lemonsqueezy\.com\//,
      message: 'must be the link that Share of a product shows: this page is of the dashboard.',
    },
  };
  readonly credentialShape = shapeOf(LemonSqueezyCredentials, {
    webhookSecret: 'Lemon Squeezy, Settings, Webhooks: the signing secret that you chose there.',
    apiKey: 'Lemon Squeezy, Settings, API: an API key.',
  });

  protected readSignature(request: SignedRequest): Signature {
    return { time: null, prefix: '', macs: macsInHex([onlyHeader(request, HEADER)?.trim() ?? '']) };
  }

  read(payload: Payload, _request: SignedRequest, now: Date): PaymentEvent {
    const attributes = valueAt(payload, 'data', 'attributes');
    const isTest = valueAt(payload, 'meta', 'test_mode') === true || valueAt(attributes, 'test_mode') === true;
    return {
      key: '',
      name: eventNameOf(valueAt(payload, 'meta', 'event_name')),
      at: timeOf(valueAt(attributes, 'updated_at')) ?? timeOf(valueAt(attributes, 'created_at')) ?? now,
      isTest,
      payload,
    };
  }

  interpret({ name, at, payload }: PaymentEvent): readonly PaymentFact[] {
    const data = asRecord(payload['data']);
    const attributes = asRecord(data?.['attributes']);
    if (data === undefined || attributes === undefined) return [];
    return interpretLemonSqueezy(
      name,
      { id: data['id'], attributes, custom: valueAt(payload, 'meta', 'custom_data') },
      at,
    );
  }

  protected async ownerOf(apiKey: string): Promise<string | null> {
    return emailOf(valueAt(await this.readWithKey('/v1/users/me', apiKey), 'data', 'attributes', 'email'));
  }
}
