import { describe, expect, it } from 'vitest';
import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { keyOf, SafariCredentials, secretOf } from './safari.credentials.js';

const BODY = 'MIGTAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBHkwdwIBAQQgKEn1VBakCdHI';
const PEM = `-----BEGIN PRIVATE KEY-----\n${BODY}\nlast\n-----END PRIVATE KEY-----\n`;
const TEAM = { issuerId: '57246542-96fe-1a63-e053-0824d011072a', keyId: '2X9R4HXF34', privateKey: PEM };

async function faultsOf(given: object): Promise<string[]> {
  const errors = await validate(plainToInstance(SafariCredentials, given), {
    whitelist: true,
    forbidNonWhitelisted: true,
  });
  return errors.map(({ property }) => property);
}

describe('App Store Connect credentials', () => {
  it.each<[string, object]>([
    ['a team', TEAM],
    ['one person', { keyId: TEAM.keyId, privateKey: PEM }],
    ['one person, said with null', { ...TEAM, issuerId: null }],
    ['a team, with blanks around its ids', { ...TEAM, issuerId: ` ${TEAM.issuerId} `, keyId: ` ${TEAM.keyId}\n` }],
    ['a team, with line breaks as two characters', { ...TEAM, privateKey: PEM.replaceAll('\n', '\\n') }],
    ['a team, with line breaks of Windows', { ...TEAM, privateKey: PEM.replaceAll('\n', '\r\n') }],
  ])('accept %s', async (_, given) => {
    expect(await faultsOf(given)).toEqual([]);
    const { privateKey } = keyOf(plainToInstance(SafariCredentials, given));
    expect(privateKey).toBe(PEM.trim());
  });

  it.each<[string, object, string]>([
    ['no key id', { privateKey: PEM }, 'keyId'],
    ['a key id that leads elsewhere', { ...TEAM, keyId: '../x' }, 'keyId'],
    ['an empty issuer id', { ...TEAM, issuerId: '' }, 'issuerId'],
    ['an issuer id that is no text', { ...TEAM, issuerId: 7 }, 'issuerId'],
    ['no private key', { keyId: 'A' }, 'privateKey'],
    ['a private key of another kind', { ...TEAM, privateKey: PEM.replaceAll('PRIVATE', 'RSA PRIVATE') }, 'privateKey'],
    ['half a private key', { ...TEAM, privateKey: PEM.slice(0, 60) }, 'privateKey'],
    ['a private key that is no text', { ...TEAM, privateKey: {} }, 'privateKey'],
    ['what no credential has', { ...TEAM, password: 'x' }, 'password'],
  ])('are refused with %s', async (_, given, field) => {
    expect(await faultsOf(given)).toEqual([field]);
  });

  it('show the last characters of the key, not of its PEM marker', () => {
    expect(secretOf(TEAM)).toBe(`${BODY}last`);
    expect(keyOf({ ...TEAM, issuerId: null }).issuerId).toBeNull();
  });
});
