import { BlockList, isIPv6 } from 'node:net';

/** What is not a public address of the internet (IANA special-purpose registries, multicast included). */
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

/** Only what is in here is public in IPv6 … */
const V6_GLOBAL = '2000::/3';
/** … and not this: Teredo, ORCHID and other protocol assignments, documentation, and 6to4, which carries any IPv4 address. */
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
 * Whether an address is anything but a public one: of this machine, of a network behind it, or of nobody. IPv4 addresses inside of IPv6
 * (mapped, or by NAT64) are not public either, since a resolver has no need to give them.
 * @param address an IP address, without brackets
 */
export function isPrivateAddress(address: string): boolean {
  if (!isIPv6(address)) return notPublicV4.check(address, 'ipv4');
  const plain = address.replace(/%.*$/, '');
  return !globalV6.check(plain, 'ipv6') || notPublicV6.check(plain, 'ipv6');
}
