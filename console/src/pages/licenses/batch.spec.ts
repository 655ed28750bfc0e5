import { expect, it } from '@jest/globals';
import { addressesIn, countIn, newKey } from './batch';

it.each([
  ['', []],
  [' ann@example.com \r\n\n bob@example.com', ['ann@example.com', 'bob@example.com']],
])('“%s” has the addresses %j', (text, addresses) => expect(addressesIn(text)).toEqual(addresses));

it('counts the licenses of a CSV', () => expect(countIn('code,link,email,licenseId\r\na,,,1\r\nb,,,2\r\n')).toBe(2));

it('makes keys that differ', () => expect(new Set(Array.from({ length: 100 }, newKey)).size).toBe(100));
