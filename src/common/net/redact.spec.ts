import { describe, expect, it } from 'vitest';
import { truncate, redact, redactText } from './redact.js';

const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJtZSJ9.c2lnbmF0dXJl';
const PEM = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq\n-----END PRIVATE KEY-----';

describe('redaction by name', () => {
  it.each([
    'authorization',
    'Authorization',
    'token',
    'access_token',
    'accessToken',
    'refresh_token',
    'client_secret',
    'clientSecret',
    'private_key',
    'privateKey',
    'assertion',
    'secret',
    'webhookSecret',
    'api_key',
    'apikey',
    'x-api-key',
    'password',
    'Set-Cookie',
    'credentials',
  ])('hides what stands under %s', (name) => {
    expect(redact({ deep: [{ [name]: 'marked' }] })).toEqual({ deep: [{ [name]: '[redacted]' }] });
    expect(JSON.stringify(redact({ [name]: { inner: 'marked' } }))).not.toContain('marked');
  });

  it.each(['token_type', 'tokenUri', 'publicKey', 'itemId', 'credentialId', 'key', 'state'])('shows %s', (name) => {
    expect(redact({ [name]: 'plain' })).toEqual({ [name]: 'plain' });
  });

  it('keeps empty values, which show that there is no secret', () => {
    expect(redact({ token: null, secret: '', hasPassword: false })).toEqual({
      token: null,
      secret: '',
      hasPassword: false,
    });
  });
});

describe('redaction by form', () => {
  it.each([
    ['a JWT', `said ${JWT}.`],
    ['a JWE', `${JWT}.YWJj.ZGVm`],
    ['a PEM', `key ${PEM} here`],
    ['a PEM that was cut off', PEM.slice(0, 40)],
    ['a PEM in JSON', JSON.stringify({ pem: PEM })],
    ['a Google access token', 'ya29.a0AfB_marked-1'],
    ['a Google refresh token', 'got 1//0gMarkedMarked_marked'],
    ['a Google client secret', 'GOCSPX-marked_1'],
    ['a Stripe key', 'sk_live_marked1'],
    ['a webhook secret', 'whsec_markedmarked'],
    ['a bearer header', 'Authorization: Bearer abc.marked-123456'],
    ['an AMO header', 'JWT marked1234567890'],
    ['a form', 'grant_type=refresh_token&client_secret=marked&x=1'],
    ['JSON as text', '{"refresh_token" : "mar\\"ked"}'],
    ['JSON that was cut off', '{"private_key":"marked'],
  ])('hides %s in a text', (_, text) => {
    const shown = redactText(text);
    expect(shown).toContain('[redacted]');
    expect(shown).not.toMatch(/mar\\?"?ked|MIIE|c2lnbmF0dXJl/);
  });

  it.each([
    'You may not edit or publish an item that is in review.',
    'Basic information is missing from the listing.',
    'Bearer realm="https://accounts.google.com/", error="invalid_token"',
    'https://example.com/a//b?version=1.2.3',
    'invalid_grant: Token has been expired or revoked.',
  ])('leaves %j as it is', (text) => {
    expect(redactText(text)).toBe(text);
  });

  it('takes time in proportion to the text', () => {
    const hostile = ['eyJ-', 'a-', 'token', '"token":', 'Bearer ', '-----BEGIN A-----', '1//', ' '];
    const started = performance.now();
    for (const piece of hostile) redactText(piece.repeat(200_000));
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe('redaction of size and form', () => {
  it('cuts a large reply to the beginning of its JSON', () => {
    const kept = redact({
      rows: Array.from({ length: 500 }, (_, row) => ({ row, text: 'x'.repeat(100), token: 'marked' })),
    });
    expect(typeof kept).toBe('string');
    expect(String(kept)).toHaveLength(4096);
    expect(kept).not.toContain('marked');
  });

  it('cuts a long text', () => {
    expect(String(redact('x'.repeat(100_000)))).toHaveLength(2048);
  });

  it.each([
    ['ab😀cd', 4, 'ab😀…'],
    ['ab😀', 3, 'ab😀'],
    ['ab😀', 4, 'ab😀'],
    ['😀'.repeat(4), 4, '😀'.repeat(4)],
    ['😀'.repeat(5), 4, `${'😀'.repeat(3)}…`],
    ['😀'.repeat(9), 4, `${'😀'.repeat(3)}…`],
    ['abcde', 4, 'abc…'],
    ['ab', 1, '…'],
  ])('counts characters, of which some have two units: %s cut to %i', (text, max, cut) => {
    expect(truncate(text, max)).toBe(cut);
  });

  it('keeps nothing that jsonb refuses', () => {
    expect(redact({ 'a\u0000': 'b\u0000\uD800' })).toEqual({ a: 'b\uFFFD' });
  });

  it('ends at cycles and depth, and keeps odd values readable', () => {
    const loop: Record<string, unknown> = { name: 'loop' };
    loop['all'] = Array.from({ length: 50 }, () => loop);
    expect(JSON.stringify(redact(loop)).length).toBeLessThan(6000);
    expect(
      redact([
        new Date(0),
        new Date(NaN),
        Buffer.from('marked'),
        10n,
        new Error(`bad ${JWT}`),
        new Map([['secret', 'x']]),
      ]),
    ).toEqual([
      '1970-01-01T00:00:00.000Z',
      'invalid date',
      '[6 bytes]',
      '10',
      { name: 'Error', message: 'bad [redacted]' },
      { secret: '[redacted]' },
    ]);
    expect(redact(undefined)).toBeUndefined();
    expect(redact(JSON.parse('{"__proto__":{"polluted":true}}'))).not.toHaveProperty('polluted');
  });
});
