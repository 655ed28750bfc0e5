import { describe, expect, it } from 'vitest';
import { plainToInstance } from 'class-transformer';
import { validate, type ValidationError } from 'class-validator';
import { ChromeCredentials, identityOf, secretOf } from './chrome.credentials.js';

const PEM = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nAQEFAASCBKcwgg==\n-----END PRIVATE KEY-----\n';
const KEY_FILE = {
  type: 'service_account',
  project_id: 'p',
  private_key_id: 'abc',
  private_key: PEM,
  client_email: ' ci@p.iam.gserviceaccount.com ',
  token_uri: 'https://oauth2.googleapis.com/token',
  universe_domain: 'googleapis.com',
};
const ACCOUNT = { publisherId: '1b7c0a4e-0000-4000-8000-000000000000', serviceAccount: KEY_FILE };
const REFRESH = { publisherId: 'p', clientId: 'c.apps', clientSecret: 'GOCSPX-x', refreshToken: ' 1//0token\n' };

async function read(given: object): Promise<{ value: ChromeCredentials; faults: Record<string, string> }> {
  const value = plainToInstance(ChromeCredentials, given);
  const errors = await validate(value, { whitelist: true, forbidNonWhitelisted: true, stopAtFirstError: true });
  const flat = (error: ValidationError, path: string): [string, string][] => [
    ...Object.values(error.constraints ?? {}).map((message): [string, string] => [path, message]),
    ...(error.children ?? []).flatMap((child) => flat(child, `${path}.${child.property}`)),
  ];
  return { value, faults: Object.fromEntries(errors.flatMap((error) => flat(error, error.property))) };
}

describe('Chrome credentials', () => {
  it('accept a whole key file and keep two of its fields', async () => {
    const { value, faults } = await read(ACCOUNT);
    expect(faults).toEqual({});
    expect(JSON.parse(JSON.stringify(value))).toEqual({
      publisherId: ACCOUNT.publisherId,
      serviceAccount: { client_email: 'ci@p.iam.gserviceaccount.com', private_key: PEM.trim() },
    });
  });

  it.each([
    ['literal \\n', PEM.replaceAll('\n', '\\n')],
    ['literal \\r\\n', PEM.replaceAll('\n', '\\r\\n')],
    ['carriage returns', PEM.replaceAll('\n', '\r\n')],
  ])('accept a key with %s', async (_, private_key) => {
    const { value, faults } = await read({ ...ACCOUNT, serviceAccount: { ...KEY_FILE, private_key } });
    expect(faults).toEqual({});
    expect(value.serviceAccount?.private_key).toBe(PEM.trim());
  });

  it.each([REFRESH, { ...REFRESH, serviceAccount: null }])('accept a refresh token', async (given) => {
    const { value, faults } = await read(given);
    expect(faults).toEqual({});
    expect(value.refreshToken).toBe('1//0token');
    expect([secretOf(value), identityOf(value)]).toEqual(['1//0token', 'c.apps']);
  });

  it('show the end of the key and the e-mail address, for DTOs and for plain JSON', () => {
    const plain = { publisherId: 'p', serviceAccount: { client_email: 'a@b', private_key: PEM } };
    expect(secretOf(plain).slice(-4)).toBe('gg==');
    expect(identityOf(plain)).toBe('a@b');
  });

  it.each<[string, object, Record<string, RegExp>]>([
    ['neither form', { publisherId: 'p' }, { serviceAccount: /clientId, clientSecret and refreshToken are given/ }],
    ['both forms', { ...ACCOUNT, ...REFRESH }, { serviceAccount: /cannot be combined/ }],
    ['a little of the second', { ...ACCOUNT, clientId: 'c' }, { serviceAccount: /cannot be combined/ }],
    ['half a refresh token', { publisherId: 'p', clientId: 'c' }, { clientSecret: /text/, refreshToken: /text/ }],
    ['an empty part', { ...REFRESH, clientSecret: '  ' }, { clientSecret: /text of 1 to/ }],
    ['a part that is no text', { ...REFRESH, refreshToken: 7 }, { refreshToken: /text/ }],
    ['no publisher', { ...REFRESH, publisherId: undefined }, { publisherId: /Developer Dashboard/ }],
    ['a publisher that is a path', { ...REFRESH, publisherId: '../x' }, { publisherId: /Developer Dashboard/ }],
    ['a list for a publisher', { ...REFRESH, publisherId: ['p'] }, { publisherId: /Developer Dashboard/ }],
    [
      'a key file as text',
      { publisherId: 'p', serviceAccount: JSON.stringify(KEY_FILE) },
      { serviceAccount: /must be an object/ },
    ],
    ['a list of key files', { publisherId: 'p', serviceAccount: [KEY_FILE] }, { serviceAccount: /must be an object/ }],
    [
      'an empty key file',
      { publisherId: 'p', serviceAccount: {} },
      { 'serviceAccount.client_email': /e-mail/, 'serviceAccount.private_key': /PEM/ },
    ],
    [
      'an old key',
      { publisherId: 'p', serviceAccount: { ...KEY_FILE, private_key: PEM.replaceAll('PRIVATE', 'RSA PRIVATE') } },
      { 'serviceAccount.private_key': /PKCS#8/ },
    ],
    ['an unknown field', { ...REFRESH, apiKey: 'x' }, { apiKey: /should not exist/ }],
  ])('refuse %s', async (_, given, expected) => {
    const { faults } = await read(given);
    expect(Object.keys(faults).sort()).toEqual(Object.keys(expected).sort());
    for (const [field, pattern] of Object.entries(expected)) expect(faults[field]).toMatch(pattern);
  });

  it('never quote a secret in a validation error', async () => {
    const { faults } = await read({
      publisherId: 'p',
      serviceAccount: { client_email: 'marked', private_key: 'marked' },
      refreshToken: 'marked',
    });
    expect(JSON.stringify(faults)).not.toContain('marked');
  });
});
