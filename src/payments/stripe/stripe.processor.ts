import { asRecord } from '../../common/net/index.js';
import { readWithKey, SECRET_ONLY, type ProcessorLine } from '../api-key.js';
import { dig, idOf, unixTimeOf, eventNameOf, type Payload } from '../payload.js';
import { ApiKeyField, PaymentCredentials, shapeOf, TestModeField, WebhookSecretField } from '../payment-credentials.js';
import type { PaymentFact } from '../payment-fact.js';
import type { PaymentEvent, Processor } from '../processor.js';
import {
  hmac,
  isFresh,
  macsInHex,
  onlyHeader,
  pairsOf,
  signersAmong,
  type SignedRequest,
  type SigningSecret,
} from '../signatures.js';
import { interpretStripe } from './stripe.events.js';

const HEADER = 'stripe-signature';

/** What receives Stripe's notifications (facts: payments C1). */
export class StripeCredentials extends PaymentCredentials {
  @WebhookSecretField({
    min: 14,
    max: 200,
    pattern: /^whsec_[\x21-\x7e]+$/,
    says: 'must be the signing secret of a webhook endpoint, which begins with whsec_.',
  })
  override webhookSecret!: string;

  @ApiKeyField()
  override apiKey?: string | null;

  @TestModeField()
  override testMode?: boolean;
}

/** Stripe: `t=…,v1=…` over time and body. */
export class StripeProcessor implements Processor {
  readonly id = 'stripe';
  readonly title = 'Stripe';
  readonly credentialShape = shapeOf(StripeCredentials, {
    webhookSecret: 'Stripe Dashboard, Developers, Webhooks: the endpoint’s signing secret.',
    apiKey: 'Stripe Dashboard, Developers, API keys: a secret key, or a restricted one that may read the account.',
  });

  constructor(private readonly line: ProcessorLine) {}

  isSigned({ headers }: Pick<SignedRequest, 'headers'>): boolean {
    return headers[HEADER] !== undefined;
  }

  verify<Secret extends SigningSecret>(
    secrets: readonly Secret[],
    request: SignedRequest,
    now: Date,
  ): readonly Secret[] {
    const pairs = pairsOf(onlyHeader(request, HEADER) ?? '', ',');
    const times = pairs.filter(([name]) => name === 't').map(([, value]) => value);
    const given = macsInHex(pairs.filter(([name]) => name === 'v1').map(([, value]) => value));
    const [time] = times;
    if (times.length !== 1 || time === undefined || !isFresh(time, now)) return [];
    return signersAmong(secrets, given, (secret) => [hmac(secret, `${time}.`, request.body)]);
  }

  read(payload: Payload, _request: SignedRequest, now: Date): PaymentEvent {
    return {
      key: idOf(payload['id']) ?? '',
      name: eventNameOf(payload['type']),
      at: unixTimeOf(payload['created']) ?? now,
      isTest: payload['livemode'] === false,
      payload,
    };
  }

  interpret({ name, at, payload }: PaymentEvent): readonly PaymentFact[] {
    const object = asRecord(dig(payload, 'data', 'object'));
    return object === undefined ? [] : interpretStripe(name, object, at);
  }

  async verifyCredential({ apiKey }: PaymentCredentials): Promise<{ readonly identity: string }> {
    if (apiKey == null) return SECRET_ONLY;
    const account = await readWithKey(this.line, this.title, '/v1/account', apiKey);
    return { identity: idOf(account['id']) ?? 'API key' };
  }
}
