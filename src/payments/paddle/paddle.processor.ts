import { asRecord } from '../../common/net/index.js';
import { readWithKey, SECRET_ONLY, type ProcessorLine } from '../api-key.js';
import { idOf, timeOf, eventNameOf, type Payload } from '../payload.js';
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
import { interpretPaddle } from './paddle.events.js';

const HEADER = 'paddle-signature';

/** What receives Paddle's notifications (facts: payments C1). */
export class PaddleCredentials extends PaymentCredentials {
  @WebhookSecretField({
    min: 16,
    max: 200,
    pattern: /^pdl_ntfset_[\x21-\x7e]+$/,
    says: 'must be the secret key of a notification destination, which begins with pdl_ntfset_.',
  })
  override webhookSecret!: string;

  @ApiKeyField()
  override apiKey?: string | null;

  @TestModeField()
  override testMode?: boolean;
}

/** Paddle Billing: `ts=…;h1=…` over time and body. Its sandbox is another account, so no event says that it is a test. */
export class PaddleProcessor implements Processor {
  readonly id = 'paddle';
  readonly title = 'Paddle';
  readonly credentialShape = shapeOf(PaddleCredentials, {
    webhookSecret: 'Paddle, Developer tools, Notifications: the destination’s secret key. Let it send customer.* too.',
    apiKey: 'Paddle, Developer tools, Authentication: an API key; it needs no permission.',
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
    const pairs = pairsOf(onlyHeader(request, HEADER) ?? '', ';');
    const times = pairs.filter(([name]) => name === 'ts').map(([, value]) => value);
    const given = macsInHex(pairs.filter(([name]) => name === 'h1').map(([, value]) => value));
    const [time] = times;
    if (times.length !== 1 || time === undefined || !isFresh(time, now)) return [];
    return signersAmong(secrets, given, (secret) => [hmac(secret, `${time}:`, request.body)]);
  }

  read(payload: Payload, _request: SignedRequest, now: Date): PaymentEvent {
    return {
      key: idOf(payload['event_id']) ?? '',
      name: eventNameOf(payload['event_type']),
      at: timeOf(payload['occurred_at']) ?? now,
      isTest: false,
      payload,
    };
  }

  interpret({ name, at, payload }: PaymentEvent): readonly PaymentFact[] {
    const data = asRecord(payload['data']);
    return data === undefined ? [] : interpretPaddle(name, data, at);
  }

  async verifyCredential({ apiKey }: PaymentCredentials): Promise<{ readonly identity: string }> {
    if (apiKey == null) return SECRET_ONLY;
    await readWithKey(this.line, this.title, '/event-types', apiKey);
    // Paddle tells nobody's name without a permission, but its keys carry the id under which its dashboard lists them.
    const [, id] = /^pdl_(?:live|sdbx)_apikey_([a-z0-9]{26})_/.exec(apiKey) ?? [];
    return { identity: id === undefined ? 'API key' : `apikey_${id}` };
  }
}
