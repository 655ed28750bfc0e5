import { isIP } from 'node:net';
import { isLoopback } from '../../common/config/index.js';
import { isPrivateAddress } from './private-address.js';

/** URLs that the operator allows tenants to use. */
export interface UrlRules {
  /** The service itself is reachable only on this machine, so a receiver may be on it too. */
  readonly isLocalService: boolean;
  /** The operator lets tenants call into the operator's own network. */
  readonly allowsPrivate: boolean;
}

/** Whether a URL names this machine, and the service is reachable only here. */
export const isLocalReceiver = (url: URL, rules: UrlRules): boolean => rules.isLocalService && isLoopback(url.hostname);

/** Why a webhook's URL is not allowed, as the end of a sentence; null when it is. The addresses that its name resolves to are checked at each call. Pure. */
export function urlFault(text: string, rules: UrlRules): string | null {
  if (!URL.canParse(text)) return 'must be an absolute URL.';
  const url = new URL(text);
  const isLocal = isLocalReceiver(url, rules);
  if (url.protocol !== 'https:' && !(isLocal && url.protocol === 'http:')) return 'must begin with https://.';
  if (url.username !== '' || url.password !== '' || url.hash !== '')
    return 'must contain neither a user name nor a fragment.';
  const address = url.hostname.replaceAll(/^\[|\]$/g, '');
  if (!isLocal && !rules.allowsPrivate && isIP(address) !== 0 && isPrivateAddress(address))
    return 'must point to a public address.';
  return null;
}
