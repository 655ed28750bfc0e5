import { isIPv6 } from 'node:net';

/** Returns an address without the prefix of a mapped IPv4 address (`::ffff:192.0.2.7`) and without a zone (`fe80::1%eth0`). */
export const plainAddress = (address: string): string =>
  address.replace(/^::ffff:(?=\d+\.)/i, '').split('%', 1)[0] ?? '';

/** Returns the key under which an address is counted: itself, or for IPv6 its /64 network, since a customer usually gets a whole one. */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address;
  const plain = plainAddress(address);
  if (!isIPv6(plain)) return plain;
  const [head = '', tail = ''] = plain.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const groups = plain.includes('::')
    ? [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
    : left;
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
