import { isIP } from 'node:net';

/** Names that only a machine or a network of one's own knows. */
const OWN_NETWORK = /(^|\.)(localhost|local|internal|lan|home|test|invalid)$/;

/** Whether a store can reach a URL: https, at a name that the whole Internet can look up. Pure. */
export function isPublicUrl(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' && hostname.includes('.') && isIP(hostname) === 0 && !OWN_NETWORK.test(hostname);
}
