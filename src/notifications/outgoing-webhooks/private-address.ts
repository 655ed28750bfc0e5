import { BlockList, isIPv6 } from 'node:net';

/** Addresses that are not public (IANA special-purpose registries, and multicast). */
const V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** Only these addresses are public in IPv6 … */
const V6_GLOBAL = '2000::/3';
/** … except these: Teredo, ORCHID and other protocol assignments, documentation, and 6to4, which carries any IPv4 address. */
const V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const listOf = (networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
};

const notPublicV4 = listOf(V4, 'ipv4');
const globalV6 = listOf([V6_GLOBAL], 'ipv6');
const notPublicV6 = listOf(V6, 'ipv6');

/**
 * Whether an address is not public: of this machine, of a private network, or reserved. IPv4 addresses inside of IPv6 (mapped, or by NAT64)
 * do not count as public either, because a resolver has no need to return them.
 * @param address an IP address, without brackets
 */
export function isPrivateAddress(address: string): boolean {
  if (!isIPv6(address)) return notPublicV4.check(address, 'ipv4');
  const [plain = ''] = address.split('%', 1);
  return !globalV6.check(plain, 'ipv6') || notPublicV6.check(plain, 'ipv6');
}
