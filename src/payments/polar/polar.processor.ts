import { asRecord } from '../../common/net/index.js';
import { idOf, recordsOf, type Payload } from '../payload.js';
import { PaymentCredentials, shapeOf, WebhookSecretField } from '../payment-credentials.js';
import type { PaymentFact } from '../payment-fact.js';
import { Processor, type PaymentEvent, type PurchaseId } from '../processor.js';
import type { Signature, SignedRequest } from '../signatures.js';
import { readStandardEvent, readStandardSignature, STANDARD_SIGNATURE, standardKeyOf } from '../standard-webhooks.js';
import { interpretPolar, POLAR_EVENTS } from './polar.events.js';

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
  readonly signatureHeader = STANDARD_SIGNATURE;
  /** https://docs.polar.sh/features/checkout/links: what is in `reference_id` becomes the metadata of the same name. */
  protected readonly checkout = {
    parameter: 'reference_id',
    hosts: ['buy.polar.sh', 'api.polar.sh', 'sandbox-api.polar.sh'],
  };
  readonly credentialShape = shapeOf(PolarCredentials, {
    webhookSecret: 'Polar, Settings, Webhooks: the endpoint’s secret.',
    apiKey: 'Polar, Settings, Developers: an organization access token that may read organizations.',
  });

  protected readSignature(request: SignedRequest): Signature | null {
    return readStandardSignature(request);
  }

  /** Polar signs with the text of the secret, while Standard Webhooks decodes what follows `whsec_`: src/payments/README.md#signatures */
  protected override keysOf(secret: string): readonly (string | Buffer)[] {
    return [secret, ...standardKeyOf(secret)];
  }

  read(payload: Payload, request: SignedRequest, now: Date): PaymentEvent {
    return { ...readStandardEvent(payload, request, now), isTest: this.isSandbox };
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
