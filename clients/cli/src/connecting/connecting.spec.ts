import { describe, expect, it } from 'vitest';
import { labelled } from './connect.js';
import { droppedPath, formName, nested, valuesInFile, type CredentialField } from './credentials.js';
import { readItem } from './item.js';

const CRX = 'mbfmigdfhnnjhoelkijjpaoabcdefghi';
const GUID = '3c2f8c1e-5f0a-4c62-9a77-0d1c2b3a4f5e';
const field = (name: string, title: string, more: Partial<CredentialField> = {}): CredentialField => ({
  name,
  title,
  how: 'There.',
  isSecret: false,
  isRequired: true,
  ...more,
});

const PUBLISHER = field('publisherId', 'Publisher id');
const SERVICE_ACCOUNT = [
  PUBLISHER,
  field('serviceAccount.client_email', 'Service account', { file: { name: '*.json', member: 'client_email' } }),
  field('serviceAccount.private_key', 'Private key', {
    isSecret: true,
    file: { name: '*.json', member: 'private_key' },
  }),
];
const REFRESH = [
  PUBLISHER,
  field('clientId', 'OAuth client id'),
  field('clientSecret', 'OAuth client secret', { isSecret: true }),
  field('refreshToken', 'Refresh token', { isSecret: true }),
];
const TEAM_KEY = [
  field('issuerId', 'Issuer id'),
  field('keyId', 'Key id'),
  field('privateKey', 'Private key', { isSecret: true, file: { name: 'AuthKey_{keyId}.p8', member: null } }),
];

it.each([
  ['credentials.publisherId', 'Publisher id'],
  [
    'credentials.serviceAccount.private_key: must be a key. publisherId: must be an id.',
    'Private key: must be a key. Publisher id: must be an id.',
  ],
  ['The store rejected the credentials.', 'The store rejected the credentials.'],
])('of a fault in a key people read its question: %s', (said, shown) =>
  expect(labelled(said, SERVICE_ACCOUNT)).toBe(shown),
);

describe('what a person types for an item', () => {
  const id = { title: 'Id', how: 'There.', isRequired: true };
  const chrome = {
    fields: [{ ...id, name: 'storeItemId' as const, pattern: '^[a-p]{32}$' }],
    urls: [String.raw`^https:\/\/example\.com\/(?<publisherId>\w+)\/(?<storeItemId>[a-p]{32})$`],
  };
  const firefox = {
    fields: [{ ...id, name: 'storeItemId' as const, pattern: '@' }],
    urls: [String.raw`^https:\/\/example\.com\/addon\/(?:(?<storeItemId>%7B.+%7D)|(?<slug>[^/]+))\/$`],
  };

  it.each([
    ['an id', chrome, ` ${CRX}\n`, { storeItemId: CRX }],
    ['a URL', chrome, `https://example.com/me/${CRX}`, { publisherId: 'me', storeItemId: CRX }],
    ['another URL', chrome, 'https://example.com/', null],
    ['rubbish', chrome, 'my extension', null],
    ['a slug in a URL', firefox, 'https://example.com/addon/tab-counter/', { slug: 'tab-counter' }],
    ['an encoded id', firefox, `https://example.com/addon/%7B${GUID}%7D/`, { storeItemId: `{${GUID}}` }],
    ['nothing', chrome, '', null],
  ])('is read: %s', (_, form, typed, named) => expect(readItem(form, typed)).toEqual(named));
});

describe('the file of a key', () => {
  const keyFile = JSON.stringify({ type: 'service_account', client_email: 'a@b.example', private_key: 'PEM' });
  it.each([
    [
      'as Google makes it',
      SERVICE_ACCOUNT,
      'tab-counter-1a2b.json',
      keyFile,
      { 'serviceAccount.client_email': 'a@b.example', 'serviceAccount.private_key': 'PEM' },
    ],
    [
      'as Apple makes it',
      TEAM_KEY,
      '/home/ann/AuthKey_2X9R4HXF34.p8',
      'PEM',
      { keyId: '2X9R4HXF34', privateKey: 'PEM' },
    ],
    ['as Apple makes it, under another name', TEAM_KEY, 'key.p8', 'PEM', { privateKey: 'PEM' }],
    [
      'in the words of the API',
      TEAM_KEY,
      '',
      '{"issuerId":"i","keyId":"k","privateKey":"PEM"}',
      {
        issuerId: 'i',
        keyId: 'k',
        privateKey: 'PEM',
      },
    ],
    [
      'in the words of the API, with members of members',
      SERVICE_ACCOUNT,
      '',
      '{"publisherId":"p","serviceAccount":{"client_email":"a@b.example","private_key":"PEM"}}',
      { publisherId: 'p', 'serviceAccount.client_email': 'a@b.example', 'serviceAccount.private_key': 'PEM' },
    ],
    ['without a secret', SERVICE_ACCOUNT, 'x.json', '{"client_email":"a@b.example"}', null],
    ['that is none', SERVICE_ACCOUNT, 'x.json', 'hello', null],
    ['that is no object', SERVICE_ACCOUNT, 'x.json', '[1]', null],
  ])('is read %s', (_, form, path, text, values) => expect(valuesInFile(form, path, text)).toEqual(values));

  it.each([
    ["'/home/ann/my key.json'", '/home/ann/my key.json'],
    ['"/home/ann/my key.json"', '/home/ann/my key.json'],
    [String.raw`/home/ann/my\ key.json `, '/home/ann/my key.json'],
    ['file:///home/ann/my%20key.json', '/home/ann/my key.json'],
    ['~/key.json', '/home/ann/key.json'],
    ['key.json', 'key.json'],
  ])('is found when %s is dropped or typed', (typed, path) => expect(droppedPath(typed, '/home/ann')).toBe(path));
});

it('values become the body that the service takes', () =>
  expect(nested({ publisherId: 'p', 'serviceAccount.client_email': 'e', 'serviceAccount.private_key': 'k' })).toEqual({
    publisherId: 'p',
    serviceAccount: { client_email: 'e', private_key: 'k' },
  }));

it('a form is called by what the others lack', () => {
  const forms = [SERVICE_ACCOUNT, REFRESH];
  expect(forms.map((form) => formName(form, forms))).toEqual([
    "A service account's key file (recommended)",
    'An OAuth client and refresh token',
  ]);
  expect(formName([PUBLISHER], [[PUBLISHER]])).toBe('A Publisher id');
});
