import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Environment, Paddle } from '@paddle/paddle-node-sdk';
import { validateEvent, WebhookVerificationError } from '@polar-sh/sdk/webhooks';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { Stripe } from 'stripe';
import { ANY_CHARACTER } from '../support/any-character.js';
import type { ProcessorId } from '../../src/payments/index.js';
import { PROCESSOR_IDS } from '../support/app.js';
import { otherSecret, SECRETS, signedBy, TIMELESS } from '../support/payment-signers.js';
import { PROCESSORS } from '../support/processors.js';

const TIMED = PROCESSOR_IDS.filter((id) => !TIMELESS.includes(id));
const isStandard = (id: ProcessorId): boolean => PROCESSORS.for(id).signatureHeader === 'webhook-signature';
const BODY = '{"id":"evt_1","type":"ping","umlaut":"ü"}';
const NOW = new Date('2026-11-21T12:00:00.500Z');
const after = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);

type Headers = Readonly<Record<string, string | readonly string[]>>;
const asked = (headers: Headers, body: string | Buffer = BODY) => ({
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat()])),
  body: Buffer.from(body),
});
/** The secrets that are found to have signed. */
const signers = (
  id: ProcessorId,
  secrets: readonly string[],
  headers: Headers,
  body: string | Buffer = BODY,
): string[] =>
  PROCESSORS.for(id)
    .signersOf(
      secrets.map((webhookSecret) => ({ webhookSecret })),
      asked(headers, body),
      NOW,
    )
    .map(({ webhookSecret }) => webhookSecret);

describe.each(PROCESSOR_IDS)('a signature of %s', (id) => {
  const secret = SECRETS[id];
  const headers = signedBy(id, secret, BODY, NOW);
  const [name] = Object.keys(headers).slice(-1) as [string];

  it('is accepted over the exact bytes, whichever of several secrets made it', () => {
    expect(signers(id, [secret], headers)).toEqual([secret]);
    expect(signers(id, [otherSecret(id), secret, otherSecret(id)], headers)).toEqual([secret]);
    expect(signers(id, [secret, secret], headers)).toEqual([secret, secret]);
  });

  it('is refused with another secret, without any, and without a header', () => {
    expect(signers(id, [otherSecret(id)], headers)).toEqual([]);
    expect(signers(id, [], headers)).toEqual([]);
    expect(signers(id, [secret], {})).toEqual([]);
  });

  it('is refused over any other bytes, such as another serialization of the body', () => {
    expect(signers(id, [secret], headers, JSON.stringify(JSON.parse(BODY), null, 1))).toEqual([]);
    fc.assert(
      fc.property(fc.nat(Buffer.byteLength(BODY) - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const bytes = Buffer.from(BODY);
        bytes[at] = (bytes[at] ?? 0) ^ flip;
        expect(signers(id, [secret], headers, bytes)).toEqual([]);
      }),
    );
  });

  it('is refused when the header is sent twice, or has any other value', () => {
    expect(signers(id, [secret], { ...headers, [name]: [headers[name] ?? '', headers[name] ?? ''] })).toEqual([]);
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER, maxLength: 200 }), (text) => {
        expect(signers(id, [secret], { ...headers, [name]: text })).toEqual([]);
      }),
    );
  });

  it.each(['', ' ', 'short'])('by the secret %j is refused, because anyone could have made it', (weak) => {
    expect(signers(id, [weak], signedBy(id, weak, BODY, NOW))).toEqual([]);
  });

  it('is recognized as this processor’s only, of those that share its header by its secret', () => {
    const sharing = PROCESSOR_IDS.filter((one) => one === id || (isStandard(one) && isStandard(id)));
    expect(PROCESSORS.signing(asked(headers)).map((one) => one.id)).toEqual(sharing);
    expect(PROCESSOR_IDS.filter((one) => signers(one, [SECRETS[one]], headers).length > 0)).toEqual([id]);
  });
});

describe.each(TIMED)('the time in a signature of %s', (id) => {
  const secret = SECRETS[id];

  it.each<[number, boolean]>([
    [0, true],
    [-300, true],
    [300, true],
    [-301, false],
    [301, false],
    [-97_200, false],
    [97_200, false],
  ])('may be %s s away from ours: %s', (seconds, accepted) => {
    expect(signers(id, [secret], signedBy(id, secret, BODY, after(seconds)))).toEqual(accepted ? [secret] : []);
  });

  it.each(['', '-1', 'NaN', '1e9', '1763726400.0', '0x1', '99999999999999'])('must be a number, not %j', (time) => {
    const separator = id === 'paddle' ? ':' : '.';
    const key = id === 'dodo' ? Buffer.from(secret.replace('whsec_', ''), 'base64') : secret;
    const mac = createHmac('sha256', key).update(`${isStandard(id) ? 'm.' : ''}${time}${separator}${BODY}`);
    const headers: Record<string, Headers> = {
      stripe: { 'stripe-signature': `t=${time},v1=${id === 'stripe' ? mac.digest('hex') : ''}` },
      paddle: { 'paddle-signature': `ts=${time};h1=${id === 'paddle' ? mac.digest('hex') : ''}` },
    };
    const standard = {
      'webhook-id': 'm',
      'webhook-timestamp': time,
      'webhook-signature': `v1,${isStandard(id) ? mac.digest('base64') : ''}`,
    };
    expect(signers(id, [secret], headers[id] ?? standard)).toEqual([]);
  });
});

describe('of several signatures in one header', () => {
  const wrong = 'f'.repeat(64);

  it.each([
    [
      'stripe',
      (own: string, time: string) => [`t=${time},v1=${wrong},v1=${own}`, `t=${time},v1=${own},v0=x,v1=${wrong}`],
    ],
    ['paddle', (own: string, time: string) => [`ts=${time};h1=${wrong};h1=${own}`, `ts=${time};h1=${own};h1=${wrong}`]],
  ] as const)('any valid one counts at %s, wherever it stands', (id, write) => {
    const [name, value] = Object.entries(signedBy(id, SECRETS[id], BODY, NOW))[0] ?? ['', ''];
    const [, time = '', own = ''] = /=(\d+)[,;]..=(\w+)/.exec(value) ?? [];
    for (const header of write(own, time))
      expect(signers(id, [SECRETS[id]], { [name]: header })).toEqual([SECRETS[id]]);
    expect(signers(id, [SECRETS[id]], { [name]: `${value}${id === 'paddle' ? ';ts=' : ',t='}${time}` })).toEqual([]);
  });

  it.each(['polar', 'dodo'] as const)('any valid one counts at %s, except v1a', (id) => {
    const headers = signedBy(id, SECRETS[id], BODY, NOW);
    const own = headers['webhook-signature'] ?? '';
    const random = `v1,${Buffer.alloc(32, 1).toString('base64')}`;
    for (const list of [`${random} ${own}`, `${own} ${random}`, `v1a,${own.slice(3)} ${own}`])
      expect(signers(id, [SECRETS[id]], { ...headers, 'webhook-signature': list })).toEqual([SECRETS[id]]);
    for (const list of [`v1a,${own.slice(3)}`, own.slice(3), `v2,${own.slice(3)}`])
      expect(signers(id, [SECRETS[id]], { ...headers, 'webhook-signature': list })).toEqual([]);
    for (const missing of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      expect(signers(id, [SECRETS[id]], { ...headers, [missing]: [] })).toEqual([]);
  });

  it('v0 does not count at Stripe', () => {
    const value = signedBy('stripe', SECRETS.stripe, BODY, NOW)['stripe-signature'] ?? '';
    expect(signers('stripe', [SECRETS.stripe], { 'stripe-signature': value.replace('v1=', 'v0=') })).toEqual([]);
  });
});

describe('the processors’ own libraries', () => {
  it('of Stripe make signatures that Pierhead accepts', () => {
    const made = Stripe.webhooks.generateTestHeaderString({
      payload: BODY,
      secret: SECRETS.stripe,
      timestamp: Math.floor(NOW.getTime() / 1000),
    });
    expect(signers('stripe', [SECRETS.stripe], { 'stripe-signature': made })).toEqual([SECRETS.stripe]);
  });

  it.each([
    ['as the standard derives its key', `whsec_${Buffer.alloc(24, 9).toString('base64')}`, {}],
    ['as Polar derives its key', SECRETS.polar, { format: 'raw' as const }],
    [
      'as Polar derives its key, of a secret in the standard form',
      `whsec_${'A'.repeat(32)}`,
      { format: 'raw' as const },
    ],
  ])('of Standard Webhooks, %s, make signatures that Pierhead accepts', (_, secret, format) => {
    const made = new Webhook(secret, format).sign('msg_1', NOW, BODY);
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(NOW.getTime() / 1000)),
      'webhook-signature': made,
    };
    expect(signers('polar', [secret], headers)).toEqual([secret]);
    // Dodo Payments derives its key as the standard does.
    expect(signers('dodo', [secret], headers)).toEqual('format' in format ? [] : [secret]);
  });

  it('of Paddle and Polar accept the signatures that the tests make', async () => {
    const [now, event] = [new Date(), JSON.stringify({ type: 'no.such.event', timestamp: NOW, data: {} })];
    const paddle = new Paddle('pdl_sdbx_apikey_none', { environment: Environment.sandbox });
    const header = signedBy('paddle', SECRETS.paddle, BODY, now)['paddle-signature'] ?? '';
    expect(await paddle.webhooks.isSignatureValid(BODY, SECRETS.paddle, header)).toBe(true);
    expect(await paddle.webhooks.isSignatureValid(BODY, otherSecret('paddle'), header)).toBe(false);

    const verdictOn = (secret: string): unknown => {
      try {
        return validateEvent(event, signedBy('polar', secret, event, now), SECRETS.polar);
      } catch (error) {
        return error;
      }
    };
    // An unknown event is complained of only once its signature was found right.
    expect(verdictOn(SECRETS.polar)).not.toBeInstanceOf(WebhookVerificationError);
    expect(verdictOn(otherSecret('polar'))).toBeInstanceOf(WebhookVerificationError);
  });
});
