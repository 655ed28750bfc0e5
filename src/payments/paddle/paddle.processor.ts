import { asRecord } from '../../common/net/index.js';
import { idOf, timeOf, eventNameOf, type Payload } from '../payload.js';
import { PaymentCredentials, shapeOf, WebhookSecretField } from '../payment-credentials.js';
import type { PaymentFact } from '../payment-fact.js';
import { Processor, type PaymentEvent, type OrderPage, type PurchaseId } from '../processor.js';
import { onlyHeader, readPairs, type Signature, type SignedRequest } from '../signatures.js';
import { interpretPaddle, PADDLE_EVENTS } from './paddle.events.js';

const HEADER = 'paddle-signature';

/** Credentials of Paddle. */
export class PaddleCredentials extends PaymentCredentials {
  @WebhookSecretField({
    min: 16,
    max: 200,
    pattern: /^pdl_ntfset_[\x21-\x7e]+$/,
    message: 'must be the secret key of a notification destination, which begins with pdl_ntfset_.',
  })
  override webhookSecret!: string;
}

/** Paddle Billing signs time and body: `ts=…;h1=…`. Its sandbox is a separate account, so only the address of the API says that events are tests. */
export class PaddleProcessor extends Processor {
  readonly id = 'paddle';
  readonly title = 'Paddle';
  readonly purchaseIds: readonly PurchaseId[] = [
    { kind: 'subscription', pattern: /^sub_/ },
    { kind: 'transaction', pattern: /^txn_/ },
  ];
  override readonly orderPages: readonly OrderPage[] = [
    { kind: 'subscription', url: `${this.dashboard}/subscriptions-v2/{id}` },
    { kind: 'transaction', url: `${this.dashboard}/transactions-v2/{id}` },
  ];
  readonly events = PADDLE_EVENTS;
  readonly signatureHeader = HEADER;
  /**
   * A hosted checkout carries no data of the seller's (https://developer.paddle.com/paddle-js/about/hosted-checkout), so that it takes a page with
   * Paddle.js, which passes on what its own address carries.
   */
  protected readonly checkout = {
    parameter: 'claimToken',
    hosts: null,
    unfit: {
      address: /^https:\/\/(?:sandbox-)?(?:pay|checkout|buy|vendors)\.paddle\.(?:io|com)\//,
      message:
        'must be a page of yours that opens the checkout with Paddle.js, and passes claimToken of its address as customData: Paddle’s own pages carry none.',
    },
  };
  readonly credentialShape = shapeOf(PaddleCredentials, {
    webhookSecret:
      'Paddle, Developer tools, Notifications: the destination’s secret key. Also select the customer.* events.',
    apiKey: 'Paddle, Developer tools, Authentication: an API key; it needs no permission.',
  });

  private get dashboard(): string {
    return this.isSandbox ? 'https://sandbox-vendors.paddle.com' : 'https://vendors.paddle.com';
  }

  protected readSignature(request: SignedRequest): Signature | null {
    const pairs = readPairs(onlyHeader(request, HEADER) ?? '', ';', { time: 'ts', mac: 'h1' });
    return pairs === null ? null : { ...pairs, prefix: `${pairs.time}:` };
  }

  read(payload: Payload, _request: SignedRequest, now: Date): PaymentEvent {
    return {
      key: idOf(payload['event_id']) ?? '',
      name: eventNameOf(payload['event_type']),
      at: timeOf(payload['occurred_at']) ?? now,
      isTest: this.isSandbox || isSimulated(payload),
      payload,
    };
  }

  interpret({ name, at, payload }: PaymentEvent): readonly PaymentFact[] {
    const data = asRecord(payload['data']);
    return data === undefined ? [] : interpretPaddle(name, data, at);
  }

  protected async ownerOf(apiKey: string): Promise<string | null> {
    await this.readWithKey('/event-types', apiKey);
    // Reading a name would need a permission, but a key contains the id under which Paddle's dashboard lists it.
    const [, id] = /^pdl_(?:live|sdbx)_apikey_([a-z0-9]{26})_/.exec(apiKey) ?? [];
    return id === undefined ? null : `apikey_${id}`;
  }
}

/** Paddle's simulator signs like a sale, and says so in its ids alone (https://developer.paddle.com/api-reference/simulation-events/overview). */
const isSimulated = ({ event_id: event, notification_id: notification }: Payload): boolean =>
  String(event).startsWith('ntfsimevt_') || String(notification).startsWith('ntfsimntf_');
