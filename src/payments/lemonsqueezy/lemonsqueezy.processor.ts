import { createHash } from 'node:crypto';
import { asRecord } from '../../common/net/index.js';
import { readWithKey, SECRET_ONLY, type ProcessorLine } from '../api-key.js';
import { dig, emailOf, timeOf, eventNameOf, type Payload } from '../payload.js';
import { ApiKeyField, PaymentCredentials, shapeOf, TestModeField, WebhookSecretField } from '../payment-credentials.js';
import type { PaymentFact } from '../payment-fact.js';
import type { PaymentEvent, Processor } from '../processor.js';
import { hmac, macsInHex, onlyHeader, signersAmong, type SignedRequest, type SigningSecret } from '../signatures.js';
import { interpretLemonSqueezy } from './lemonsqueezy.events.js';

const HEADER = 'x-signature';

/** What receives Lemon Squeezy's notifications (facts: payments C1). */
export class LemonSqueezyCredentials extends PaymentCredentials {
  @WebhookSecretField({
    min: 6,
    max: 40,
    pattern: /^[\x20-\x7e]+$/,
    says: 'must be the signing secret of the webhook, 6 to 40 characters of ASCII.',
  })
  override webhookSecret!: string;

  @ApiKeyField()
  override apiKey?: string | null;

  @TestModeField()
  override testMode?: boolean;
}

/** Lemon Squeezy: hex over the body alone. No time and no event id: only its digest tells a delivery from a replay. */
export class LemonSqueezyProcessor implements Processor {
  readonly id = 'lemonsqueezy';
  readonly title = 'Lemon Squeezy';
  readonly credentialShape = shapeOf(LemonSqueezyCredentials, {
    webhookSecret: 'Lemon Squeezy, Settings, Webhooks: the signing secret that you chose there.',
    apiKey: 'Lemon Squeezy, Settings, API: an API key.',
  });

  constructor(private readonly line: ProcessorLine) {}

  isSigned({ headers }: Pick<SignedRequest, 'headers'>): boolean {
    return headers[HEADER] !== undefined;
  }

  verify<Secret extends SigningSecret>(secrets: readonly Secret[], request: SignedRequest): readonly Secret[] {
    const given = macsInHex([onlyHeader(request, HEADER)?.trim() ?? '']);
    return signersAmong(secrets, given, (secret) => [hmac(secret, request.body)]);
  }

  read(payload: Payload, request: SignedRequest, now: Date): PaymentEvent {
    const attributes = dig(payload, 'data', 'attributes');
    const isTest = dig(payload, 'meta', 'test_mode') === true || dig(attributes, 'test_mode') === true;
    return {
      key: createHash('sha256').update(request.body).digest('hex'),
      name: eventNameOf(dig(payload, 'meta', 'event_name')),
      at: timeOf(dig(attributes, 'updated_at')) ?? timeOf(dig(attributes, 'created_at')) ?? now,
      isTest,
      payload,
    };
  }

  interpret({ name, at, payload }: PaymentEvent): readonly PaymentFact[] {
    const data = asRecord(payload['data']);
    const attributes = asRecord(data?.['attributes']);
    if (data === undefined || attributes === undefined) return [];
    return interpretLemonSqueezy(name, { id: data['id'], attributes, custom: dig(payload, 'meta', 'custom_data') }, at);
  }

  async verifyCredential({ apiKey }: PaymentCredentials): Promise<{ readonly identity: string }> {
    if (apiKey == null) return SECRET_ONLY;
    const user = await readWithKey(this.line, this.title, '/v1/users/me', apiKey);
    return { identity: emailOf(dig(user, 'data', 'attributes', 'email')) ?? 'API key' };
  }
}
