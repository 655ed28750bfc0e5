import { asRecord, asText } from '../../common/net/index.js';
import { customDataOf, valueAt, idOf, timeOf, unixTimeOf, eventNameOf, type Payload } from '../payload.js';
import { PaymentCredentials, shapeOf, WebhookSecretField } from '../payment-credentials.js';
import { PaymentFailure } from '../payment-failure.js';
import type { PaymentFact } from '../payment-fact.js';
import { Processor, type Omission, type PaymentEvent, type OrderPage, type PurchaseId } from '../processor.js';
import { onlyHeader, readPairs, type Signature, type SignedRequest } from '../signatures.js';
import { interpretStripe, STRIPE_EVENTS } from './stripe.events.js';

const RESOURCE = /^\/v1(\/\w{1,100}){1,6}$/;
const HEADER = 'stripe-signature';

/** Credentials of Stripe. */
export class StripeCredentials extends PaymentCredentials {
  @WebhookSecretField({
    min: 14,
    max: 200,
    pattern: /^whsec_[\x21-\x7e]+$/,
    message: 'must be the signing secret of a webhook endpoint, which begins with whsec_.',
  })
  override webhookSecret!: string;
}

/** Stripe signs time and body: `t=…,v1=…`. */
export class StripeProcessor extends Processor {
  readonly id = 'stripe';
  readonly title = 'Stripe';
  readonly purchaseIds: readonly PurchaseId[] = [
    { kind: 'subscription', pattern: /^sub_/ },
    { kind: 'session', pattern: /^cs_/ },
    { kind: 'payment', pattern: /^pi_/ },
    { kind: 'invoice', pattern: /^in_/ },
  ];
  override readonly orderPages: readonly OrderPage[] = [
    { kind: 'subscription', url: 'https://dashboard.stripe.com/{test}subscriptions/{id}' },
    { kind: 'payment', url: 'https://dashboard.stripe.com/{test}payments/{id}' },
    { kind: 'invoice', url: 'https://dashboard.stripe.com/{test}invoices/{id}' },
  ];
  readonly events = STRIPE_EVENTS;
  /** https://docs.stripe.com/changelog/basil/2025-03-31/add-support-for-multiple-partial-payments-on-invoices */
  override readonly linkEvent = 'invoice_payment.paid';
  readonly signatureHeader = HEADER;
  /** https://docs.stripe.com/payment-links/url-parameters; a Payment Link may be on a domain of the seller's. */
  protected readonly checkout = {
    parameter: 'client_reference_id',
    hosts: null,
    unfit: {
      address: /^https:\/\/(?:checkout|dashboard)\.stripe\.com\//,
      message: 'must be a Payment Link: this page is of one checkout, or of the dashboard.',
    },
  };
  readonly credentialShape = shapeOf(StripeCredentials, {
    webhookSecret: 'Stripe Dashboard, Developers, Webhooks: the endpoint’s signing secret.',
    apiKey:
      'Stripe Dashboard, Developers, API keys: a secret key, or a restricted one that may read the account, and Checkout Sessions, which say what a Payment Link sold.',
  });

  protected readSignature(request: SignedRequest): Signature | null {
    const pairs = readPairs(onlyHeader(request, HEADER) ?? '', ',', { time: 't', mac: 'v1' });
    return pairs === null ? null : { ...pairs, prefix: `${pairs.time}.` };
  }

  read(payload: Payload, _request: SignedRequest, now: Date): PaymentEvent {
    return {
      key: idOf(payload['id']) ?? '',
      name: nameOf(payload),
      at: unixTimeOf(payload['created']) ?? timeOf(payload['created']) ?? now,
      isTest: payload['livemode'] === false,
      payload,
    };
  }

  /** https://docs.stripe.com/connect/webhooks; thin events name it as their context. */
  override accountOf({ account, context }: Payload): string | null {
    return idOf(account) ?? idOf(context);
  }

  /** A thin event names its object alone: https://docs.stripe.com/event-destinations#thin-events */
  override leavesOut(payload: Payload): Omission | null {
    const isThin = payload['object'] === 'v2.core.event' && payload['data'] === undefined;
    if (isThin) return STRIPE_EVENTS.includes(nameOf(payload)) ? 'object' : null;
    return lacksItems(valueAt(payload, 'data', 'object')) ? 'items' : null;
  }

  override async complete(payload: Payload, apiKey: string): Promise<Payload> {
    const object = asRecord(valueAt(payload, 'data', 'object')) ?? (await this.objectOf(payload, apiKey));
    if (!lacksItems(object)) return { ...payload, data: { object } };
    const id = encodeURIComponent(idOf(object['id']) ?? '');
    const items = await this.readWithKey(`/v1/checkout/sessions/${id}/line_items?limit=100`, apiKey);
    return { ...payload, data: { object: { ...object, line_items: items } } };
  }

  private objectOf(payload: Payload, apiKey: string): Promise<Payload> {
    const path = asText(valueAt(payload, 'related_object', 'url')) ?? '';
    if (!RESOURCE.test(path)) throw new PaymentFailure('credential', 'The event names no object.');
    return this.readWithKey(path, apiKey);
  }

  interpret({ name, at, payload }: PaymentEvent): readonly PaymentFact[] {
    const object = asRecord(valueAt(payload, 'data', 'object'));
    return object === undefined
      ? []
      : interpretStripe(name, object, at, asRecord(valueAt(payload, 'data', 'previous_attributes')));
  }

  protected async ownerOf(apiKey: string): Promise<string | null> {
    return idOf((await this.readWithKey('/v1/account', apiKey))['id']);
  }
}

/**
 * A paid checkout, without a subscription that names its items itself, and without a plan of the seller's. Stripe sends no items with it:
 * https://docs.stripe.com/api/checkout/sessions/line_items
 */
const lacksItems = (session: unknown): boolean =>
  valueAt(session, 'object') === 'checkout.session' &&
  valueAt(session, 'mode') === 'payment' &&
  valueAt(session, 'payment_status') !== 'unpaid' &&
  valueAt(session, 'line_items') === undefined &&
  customDataOf(valueAt(session, 'metadata')).planId === null;

/** Thin events put `v1.` before the names that snapshots have. */
const nameOf = (payload: Payload): string => eventNameOf(payload['type']).replace(/^v1\./, '');
