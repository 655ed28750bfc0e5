import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { ANY_CHARACTER } from '../../../test/support/any-character.js';
import { newWebhookSecret, signedHeaders } from './signature.js';

describe('a signed webhook', () => {
  const secret = newWebhookSecret();

  it('is what the reference implementation makes, for any body', () => {
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER }), fc.uuid(), (text, id) => {
        const at = new Date();
        const body = JSON.stringify({ text });
        const headers = signedHeaders(id, at, body, [secret]);
        expect(headers['webhook-signature']).toBe(new Webhook(secret).sign(id, at, body));
        expect(new Webhook(secret).verify(body, headers)).toEqual({ text });
      }),
    );
  });

  it('is accepted under each of its secrets, and under no other', () => {
    const former = newWebhookSecret();
    const headers = signedHeaders('id', new Date(), '{}', [secret, former]);
    for (const held of [secret, former]) expect(new Webhook(held).verify('{}', headers)).toEqual({});
    expect(() => new Webhook(newWebhookSecret()).verify('{}', headers)).toThrow('No matching signature');
    expect(() => new Webhook(secret).verify('{ }', headers)).toThrow('No matching signature');
  });

  it('has a secret of 256 bits that is never the same', () => {
    expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
    expect(newWebhookSecret()).not.toBe(secret);
  });
});
