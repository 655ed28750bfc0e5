import { asRecord } from '../../common/net/index.js';
import { readWithKey, SECRET_ONLY, type ProcessorLine } from '../api-key.js';
import { idOf, recordsOf, timeOf, eventNameOf, type Payload } from '../payload.js';
import { ApiKeyField, PaymentCredentials, shapeOf, TestModeField, WebhookSecretField } from '../payment-credentials.js';
import type { PaymentFact } from '../payment-fact.js';
import type { PaymentEvent, Processor } from '../processor.js';
import { hmac, isFresh, onlyHeader, signersAmong, type SignedRequest, type SigningSecret } from '../signatures.js';
import { interpretPolar } from './polar.events.js';

const [ID, TIMESTAMP, SIGNATURE] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
const MAC_BYTES = 32;
const SHORTEST_KEY_BYTES = 16;

/** What receives Polar's notifications (facts: payments C1). */
export class PolarCredentials extends PaymentCredentials {
  @WebhookSecretField({
    min: 8,
    max: 200,
    pattern: /^[\x21-\x7e]+$/,
    says: 'must be the secret of the webhook endpoint, 8 to 200 characters without blanks.',
  })
  override webhookSecret!: string;

  @ApiKeyField()
  override apiKey?: string | null;

  @TestModeField()
  override testMode?: boolean;
}

/** Polar: Standard Webhooks, with a key derived in Polar's own way. Its sandbox is another host, so no event says that it is a test. */
export class PolarProcessor implements Processor {
  readonly id = 'polar';
  readonly title = 'Polar';
  readonly credentialShape = shapeOf(PolarCredentials, {
    webhookSecret: 'Polar, Settings, Webhooks: the endpoint’s secret.',
    apiKey: 'Polar, Settings, Developers: an organization access token that may read organizations.',
  });

  constructor(private readonly line: ProcessorLine) {}

  isSigned({ headers }: Pick<SignedRequest, 'headers'>): boolean {
    return headers[SIGNATURE] !== undefined;
  }

  verify<Secret extends SigningSecret>(
    secrets: readonly Secret[],
    request: SignedRequest,
    now: Date,
  ): readonly Secret[] {
    const [id, time] = [onlyHeader(request, ID), onlyHeader(request, TIMESTAMP)];
    if (id === undefined || id === '' || time === undefined || !isFresh(time, now)) return [];
    const given = macsIn(onlyHeader(request, SIGNATURE) ?? '');
    return signersAmong(secrets, given, (secret) =>
      keysOf(secret).map((key) => hmac(key, `${id}.${time}.`, request.body)),
    );
  }

  read(payload: Payload, request: SignedRequest, now: Date): PaymentEvent {
    return {
      key: idOf(onlyHeader(request, ID)) ?? '',
      name: eventNameOf(payload['type']),
      at: timeOf(payload['timestamp']) ?? now,
      isTest: false,
      payload,
    };
  }

  interpret({ name, at, payload }: PaymentEvent): readonly PaymentFact[] {
    const data = asRecord(payload['data']);
    return data === undefined ? [] : interpretPolar(name, data, at);
  }

  async verifyCredential({ apiKey }: PaymentCredentials): Promise<{ readonly identity: string }> {
    if (apiKey == null) return SECRET_ONLY;
    const organizations = await readWithKey(this.line, this.title, '/v1/organizations/?limit=1', apiKey);
    const [first] = recordsOf(organizations['items']);
    return { identity: idOf(first?.['slug']) ?? 'API key' };
  }
}

/** The MACs of version 1 in a list that blanks separate; `v1a` is of another kind of key. */
function macsIn(value: string): readonly Buffer[] {
  return value
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .map((part) => Buffer.from(part.slice(3), 'base64'))
    .filter((mac) => mac.length === MAC_BYTES);
}

/** Polar signs with the letters of the secret; the standard says to decode what follows `whsec_` (facts: payments C1). */
function keysOf(secret: string): readonly Buffer[] {
  const encoded = secret.replace(/^whsec_/, '');
  const decoded = /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.alloc(0);
  return [Buffer.from(secret, 'utf8'), ...(decoded.length >= SHORTEST_KEY_BYTES ? [decoded] : [])];
}
