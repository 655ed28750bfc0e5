import { asRecord } from '../../common/net/index.js';
import { idOf, recordsOf, timeOf, eventNameOf, type Payload } from '../payload.js';
import { PaymentCredentials, shapeOf, WebhookSecretField } from '../payment-credentials.js';
import type { PaymentFact } from '../payment-fact.js';
import { Processor, type PaymentEvent, type PurchaseId } from '../processor.js';
import { onlyHeader, type Signature, type SignedRequest } from '../signatures.js';
import { interpretPolar, POLAR_EVENTS } from './polar.events.js';

const [ID, TIMESTAMP, SIGNATURE] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
const MAC_BYTES = 32;
const MIN_KEY_BYTES = 16;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Credentials of Polar. */
export class PolarCredentials extends PaymentCredentials {
  @WebhookSecretField({
    min: 8,
    max: 200,
    pattern: /^[\x21-\x7e]+$/,
    message: 'must be the secret of the webhook endpoint, 8 to 200 characters without spaces.',
  })
  override webhookSecret!: string;
}

/** Polar signs as Standard Webhooks, with its own way to derive the key. Its sandbox is a separate host, so only the address of the API says that events are tests. */
export class PolarProcessor extends Processor {
  readonly id = 'polar';
  readonly title = 'Polar';
  readonly purchaseIds: readonly PurchaseId[] = [
    { kind: 'order', pattern: UUID },
    { kind: 'subscription', pattern: UUID },
  ];
  readonly events = POLAR_EVENTS;
  protected readonly signatureHeader = SIGNATURE;
  readonly credentialShape = shapeOf(PolarCredentials, {
    webhookSecret: 'Polar, Settings, Webhooks: the endpoint’s secret.',
    apiKey: 'Polar, Settings, Developers: an organization access token that may read organizations.',
  });

  protected readSignature(request: SignedRequest): Signature | null {
    const [id, time] = [onlyHeader(request, ID), onlyHeader(request, TIMESTAMP)];
    if (id === undefined || id === '' || time === undefined) return null;
    return { time, prefix: `${id}.${time}.`, macs: macsIn(onlyHeader(request, SIGNATURE) ?? '') };
  }

  /** Polar signs with the text of the secret, while Standard Webhooks decodes what follows `whsec_`: docs/payments.md#signatures */
  protected override keysOf(secret: string): readonly (string | Buffer)[] {
    const encoded = secret.replace(/^whsec_/, '');
    const decoded = /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.alloc(0);
    return decoded.length >= MIN_KEY_BYTES ? [secret, decoded] : [secret];
  }

  read(payload: Payload, request: SignedRequest, now: Date): PaymentEvent {
    return {
      key: idOf(onlyHeader(request, ID)) ?? '',
      name: eventNameOf(payload['type']),
      at: timeOf(payload['timestamp']) ?? now,
      isTest: this.isSandbox,
      payload,
    };
  }

  interpret({ name, at, payload }: PaymentEvent): readonly PaymentFact[] {
    const data = asRecord(payload['data']);
    return data === undefined ? [] : interpretPolar(name, data, at);
  }

  protected async ownerOf(apiKey: string): Promise<string | null> {
    const organizations = await this.readWithKey('/v1/organizations/?limit=1', apiKey);
    const [first] = recordsOf(organizations['items']);
    return idOf(first?.['slug']);
  }
}

/** The MACs of version 1 in a list separated by blanks; `v1a` belongs to another kind of key. */
function macsIn(value: string): readonly Buffer[] {
  return value
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .map((part) => Buffer.from(part.slice(3), 'base64'))
    .filter((mac) => mac.length === MAC_BYTES);
}
