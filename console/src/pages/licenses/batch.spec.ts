import { expect, it } from 'vitest';
import { addressesIn, countIn, handedOutIn, newKey } from './batch';

it.each([
  ['', []],
  [' ann@example.com \r\n\n bob@example.com', ['ann@example.com', 'bob@example.com']],
])('“%s” has the addresses %j', (text, addresses) => expect(addressesIn(text)).toEqual(addresses));

it('counts the licenses of a CSV', () => expect(countIn('code,link,email,licenseId\r\na,,,1\r\nb,,,2\r\n')).toBe(2));

it.each([
  ['', []],
  ['code,link,email,licenseId\r\nA-1,,,1\r\nB-2,,,2\r\n', ['A-1', 'B-2']],
  ['code,link,email,licenseId\r\n,https://a.example/gift/1,"a,b"@c.example,1\r\n', ['https://a.example/gift/1']],
])('%j hands out %j', (csv, all) => expect(handedOutIn(csv)).toEqual(all));

it('makes keys that differ', () => expect(new Set(Array.from({ length: 100 }, newKey)).size).toBe(100));
