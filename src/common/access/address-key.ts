import { isIPv4, isIPv6 } from 'node:net';

/**
 * Returns an address without the port that some proxies append (`192.0.2.7:1234`, `[2001:db8::1]:1234`), the prefix of a mapped IPv4 address
 * (`::ffff:192.0.2.7`) and a zone (`fe80::1%eth0`).
 */
export const plainAddress = (address: string): string =>
  address
    .replace(/^\[([^\]]*)\](?::\d{1,5})?$/, '$1')
    .replace(/^([\d.]{7,15}):\d{1,5}$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .split('%', 1)[0] ?? '';

/** Returns the key under which an address is counted: itself, or for IPv6 its /64 network, since a customer usually gets a whole one. */
export function addressKey(address: string): string {
  const groups = groupsOf(address);
  return groups === null ? plainAddress(address) : `${groups.slice(0, 4).join(':')}::/64`;
}

/**
 * Returns the key of the network that an address lies in: the /24 of IPv4, or the /48 of IPv6, of which a customer may get a whole one, with 65,536
 * networks of the size above.
 */
export function networkKey(address: string): string {
  const groups = groupsOf(address);
  if (groups !== null) return `${groups.slice(0, 3).join(':')}::/48`;
  const plain = plainAddress(address);
  return isIPv4(plain) ? `${plain.slice(0, plain.lastIndexOf('.'))}.0/24` : plain;
}

/** The eight groups of an IPv6 address, without leading zeros; null for any other text. */
function groupsOf(address: string): readonly string[] | null {
  const plain = plainAddress(address);
  if (!isIPv6(plain)) return null;
  const [head = '', tail = ''] = plain.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const groups = plain.includes('::')
    ? [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
    : left;
  return groups.map((group) => Number.parseInt(group, 16).toString(16));
}
