import { asNumber, asRecord } from '../../common/net/index.js';
import { eventNameOf, idOf, type Payload, unixTimeOf, valueAt } from '../payload.js';
import { PaymentCredentials, shapeOf, WebhookSecretField } from '../payment-credentials.js';
import type { PaymentFact } from '../payment-fact.js';
import { Processor, type PaymentEvent, type PurchaseId } from '../processor.js';
import { macsInHex, onlyHeader, type Signature, type SignedRequest } from '../signatures.js';
import { CREEM_EVENTS, interpretCreem } from './creem.events.js';

const HEADER = 'creem-signature';

/** Credentials of Creem. */
export class CreemCredentials extends PaymentCredentials {
  @WebhookSecretField({
    min: 8,
    max: 200,
    pattern: /^[\x21-\x7e]+$/,
    message: 'must be the secret of the webhook, 8 to 200 characters without spaces.',
  })
  override webhookSecret!: string;
}

/**
 * Creem signs the body alone, and names each event (https://docs.creem.io/code/webhooks). Its test mode has keys and webhooks of its own, and
 * each object says its `mode` (https://docs.creem.io/getting-started/test-mode).
 */
export class CreemProcessor extends Processor {
  readonly id = 'creem';
  readonly title = 'Creem';
  readonly purchaseIds: readonly PurchaseId[] = [
    { kind: 'order', pattern: /^ord_/ },
    { kind: 'subscription', pattern: /^sub_/ },
    { kind: 'transaction', pattern: /^tran_/ },
    { kind: 'session', pattern: /^ch_/ },
  ];
  readonly events = CREEM_EVENTS;
  readonly signatureHeader = HEADER;
  /** https://docs.creem.io/learn/customization/payment-links */
  protected readonly checkout = { parameter: 'metadata[claimToken]', hosts: ['creem.io', '.creem.io'] };
  readonly credentialShape = shapeOf(CreemCredentials, {
    webhookSecret: 'Creem, Developers, Webhooks: the secret of the webhook.',
    apiKey: 'Creem, Developers: the API key.',
  });

  protected readSignature(request: SignedRequest): Signature {
    return { time: null, prefix: '', macs: macsInHex([onlyHeader(request, HEADER)?.trim() ?? '']) };
  }

  read(payload: Payload, _request: SignedRequest, now: Date): PaymentEvent {
    const milliseconds = asNumber(payload['created_at']);
    const mode = valueAt(payload, 'object', 'mode');
    return {
      key: idOf(payload['id']) ?? '',
      name: eventNameOf(payload['eventType']),
      at: unixTimeOf(milliseconds === undefined ? undefined : milliseconds / 1000) ?? now,
      // `test`, `sandbox` and, in the documents' samples, `local`; `prod` is live: https://docs.creem.io/api-reference/introduction
      isTest: mode !== undefined && mode !== 'prod',
      payload,
    };
  }

  interpret({ name, at, payload }: PaymentEvent): readonly PaymentFact[] {
    const object = asRecord(payload['object']);
    return object === undefined ? [] : interpretCreem(name, object, at);
  }

  /** https://docs.creem.io/api-reference/introduction#authentication */
  protected override headersOf(apiKey: string): Readonly<Record<string, string>> {
    return { 'x-api-key': apiKey };
  }

  /** No resource names the seller (https://docs.creem.io/api-reference/endpoint/search-products). */
  protected async ownerOf(apiKey: string): Promise<string | null> {
    await this.readWithKey('/v1/products/search?page_number=1&page_size=1', apiKey);
    return null;
  }
}
