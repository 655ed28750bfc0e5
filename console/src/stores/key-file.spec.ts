import { describe, expect, it } from 'vitest';
import { readKeyFile } from './key-file';

const GOOGLE = '*.json';
const APPLE = 'AuthKey_{keyId}.p8';
const chrome = [
  { name: 'publisherId' },
  { name: 'serviceAccount.client_email', file: { name: GOOGLE, member: 'client_email' } },
  { name: 'serviceAccount.private_key', file: { name: GOOGLE, member: 'private_key' } },
];
const safari = [{ name: 'issuerId' }, { name: 'keyId' }, { name: 'privateKey', file: { name: APPLE, member: null } }];

describe('a key file', () => {
  it('of Google fills in what it has', () => {
    const text = JSON.stringify({ type: 'service_account', client_email: 'a@b.example', private_key: 'key' });
    expect(readKeyFile(chrome, GOOGLE, { name: 'owl-1f3.json', text })).toEqual({
      'serviceAccount.client_email': 'a@b.example',
      'serviceAccount.private_key': 'key',
    });
  });

  it('of Apple is the key, and its name has the id', () => {
    expect(readKeyFile(safari, APPLE, { name: 'AuthKey_8AFB.p8', text: 'key\n' })).toEqual({
      keyId: '8AFB',
      privateKey: 'key',
    });
  });

  it('for the command line fills in all fields', () => {
    const key = { publisherId: 'p', serviceAccount: { client_email: 'a@b.example', private_key: 'key' } };
    expect(readKeyFile(chrome, GOOGLE, { name: 'chrome.json', text: JSON.stringify(key) })).toEqual({
      publisherId: 'p',
      'serviceAccount.client_email': 'a@b.example',
      'serviceAccount.private_key': 'key',
    });
    const other = { issuerId: 'i', keyId: 'k', privateKey: 'key' };
    expect(readKeyFile(safari, APPLE, { name: 'safari.json', text: JSON.stringify(other) })).toEqual(other);
  });

  it.each([
    ['{}', 'This is not the key file: it has no client_email.'],
    ['null', 'This is not the key file: it has no client_email.'],
    ['key', 'This is not the key file: it is not JSON.'],
  ])('that is another one says so: %s', (text, why) => {
    expect(() => readKeyFile(chrome, GOOGLE, { name: 'a.json', text })).toThrow(why);
  });
});
