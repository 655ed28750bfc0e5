import { describe, expect, it } from 'vitest';
import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { EdgeCredentials, FORMS } from './edge.credentials.js';

const GIVEN = { clientId: '1b7c0a4e-0000-4000-8000-000000000000', apiKey: 'n/4kQ+abcdefghij==' };

async function faultsOf(given: object): Promise<Record<string, string[]>> {
  const errors = await validate(plainToInstance(EdgeCredentials, given), {
    whitelist: true,
    forbidNonWhitelisted: true,
  });
  return Object.fromEntries(errors.map(({ property, constraints }) => [property, Object.values(constraints ?? {})]));
}

describe('Edge credentials', () => {
  it('are a client id and a key, without the spaces around them', async () => {
    const value = plainToInstance(EdgeCredentials, { clientId: ` ${GIVEN.clientId}\n`, apiKey: `${GIVEN.apiKey} ` });
    expect(await validate(value)).toEqual([]);
    expect({ ...value }).toEqual(GIVEN);
  });

  it.each([
    ['no client id', { clientId: undefined }, 'clientId'],
    ['a client id of two words', { clientId: 'my client' }, 'clientId'],
    ['no key', { apiKey: undefined }, 'apiKey'],
    ['a key that is too short to be one', { apiKey: 'short' }, 'apiKey'],
    ['a key with a line break in it', { apiKey: 'abcdef\nghijkl' }, 'apiKey'],
    ['a key that no header can carry', { apiKey: 'schlüssel-€' }, 'apiKey'],
    ['an object for a key', { apiKey: {} }, 'apiKey'],
    ['a field that is none', { accessTokenUrl: 'https://login.example' }, 'accessTokenUrl'],
  ])('are refused with %s', async (_, wrong, field) => {
    expect(Object.keys(await faultsOf({ ...GIVEN, ...wrong }))).toEqual([field]);
  });

  it('explain each field', () => {
    expect(FORMS.map((form) => form.map(({ name, isSecret }) => [name, isSecret]))).toEqual([
      [
        ['clientId', false],
        ['apiKey', true],
      ],
    ]);
  });
});
