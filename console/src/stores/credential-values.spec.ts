import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { idsIn, nested, type CredentialField } from './credential-values';

const field = (name: string, rest: object = {}) => ({ name, title: name, ...rest }) as CredentialField;

describe('the credentials of a request', () => {
  it('have a level for each dot of a name, and truth for a switch', () => {
    const fields = [
      field('publisherId'),
      field('serviceAccount.client_email'),
      field('serviceAccount.private_key'),
      field('isTest', { isSwitch: true }),
      field('isLive', { isSwitch: true }),
      field('left.out'),
    ];
    const values = {
      publisherId: 'p',
      'serviceAccount.client_email': 'a@b.example',
      'serviceAccount.private_key': 'key',
      isTest: 'true',
      isLive: 'false',
    };
    expect(nested(fields, values)).toEqual({
      publisherId: 'p',
      serviceAccount: { client_email: 'a@b.example', private_key: 'key' },
      isTest: true,
      isLive: false,
    });
  });

  it('have every value that was typed where its name says', () => {
    const name = fc.stringMatching(/^[a-z]{1,3}$/);
    const names = fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'b'), name).map((parts) => parts.join('.')));
    fc.assert(
      fc.property(names, fc.string(), (all, value) => {
        const values = Object.fromEntries(all.map((one) => [one, `${one} ${value}`]));
        const made = nested(
          all.map((one) => field(one)),
          values,
        ) as Record<string, Record<string, string>>;
        for (const one of all) {
          const [level = '', last = ''] = one.split('.');
          expect(made[level]?.[last]).toBe(values[one]);
        }
      }),
    );
  });
});

describe('what was pasted for an item', () => {
  const item = {
    fields: [{ name: 'storeItemId' }, { name: 'crxId' }],
    urls: ['edge\\.example/details/(?<slug>[^/]+)/(?<crxId>[a-p]+)', 'edge\\.example/product/(?<storeItemId>[^/?]+)'],
  } as unknown as Parameters<typeof idsIn>[0];

  it.each([
    ['https://edge.example/product/1f%203', { storeItemId: '1f 3' }],
    [' https://edge.example/details/tab-counter/abc ', { crxId: 'abc' }],
    ['1f-3', { storeItemId: '1f-3' }],
    ['https://elsewhere.example/1', { storeItemId: 'https://elsewhere.example/1' }],
  ])('%s gives its ids', (pasted, ids) => {
    expect(idsIn(item, pasted, 'storeItemId')).toEqual(ids);
  });
});
