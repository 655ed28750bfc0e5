import { isIP } from 'node:net';
import { isLoopback } from '../../common/config/index.js';
import { isPrivateAddress } from './private-address.js';

/** What the operator lets tenants call. */
export interface UrlRules {
  /** The service itself is reached on this machine alone, so a receiver may be on it too. */
  readonly isLocalService: boolean;
  /** The operator trusts his tenants with his own network. */
  readonly allowsPrivate: boolean;
}

/** A receiver on this machine, named as such, of a service that runs for this machine alone. */
export const isLocalReceiver = (url: URL, rules: UrlRules): boolean => rules.isLocalService && isLoopback(url.hostname);

/** What is wrong with a webhook's URL, as a sentence's end; null when nothing is. Where its name leads is seen when it is called. Pure. */
export function urlFault(text: string, rules: UrlRules): string | null {
  if (!URL.canParse(text)) return 'must be an absolute URL.';
  const url = new URL(text);
  const isLocal = isLocalReceiver(url, rules);
  if (url.protocol !== 'https:' && !(isLocal && url.protocol === 'http:')) return 'must begin with https://.';
  if (url.username !== '' || url.password !== '' || url.hash !== '')
    return 'must hold neither a user name nor a fragment.';
  const address = url.hostname.replaceAll(/^\[|\]$/g, '');
  if (!isLocal && !rules.allowsPrivate && isIP(address) !== 0 && isPrivateAddress(address))
    return 'must lead to a public address.';
  return null;
}
