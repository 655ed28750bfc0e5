/** How the address of a processor's checkout carries a claim token, for which its notifications repeat a value of the buyer's. */
export interface CheckoutLink {
  /** The parameter of the query that carries it. */
  readonly parameter: string;
  /** The hosts of its checkouts, or what is below one that begins with a dot; null where sellers have pages of their own. */
  readonly hosts: readonly string[] | null;
  /** Addresses of the processor's that carry nothing, and what to give instead. */
  readonly unfit?: { readonly address: RegExp; readonly message: string };
}

const LONGEST = 1000;

/**
 * Finds what is wrong with the address of a checkout. Pure.
 * @param standIn the origin of a stand-in for the processor, which need not have https
 * @returns a message about the field; null when nothing is
 */
export function checkoutFault(
  { parameter, hosts, unfit }: CheckoutLink,
  title: string,
  address: string,
  standIn: string | null,
): string | null {
  if (!URL.canParse(address) || address.length > LONGEST)
    return `must be an address of at most ${LONGEST} characters, such as https://shop.example/buy.`;
  const url = new URL(address);
  if (unfit?.address.test(url.href) === true) return unfit.message;
  if (url.searchParams.has(parameter)) return `must not have ${parameter} in its query, which Pierhead sets.`;
  if (`${url.username}${url.password}` !== '') return 'must not contain a user or a password.';
  if (url.origin === standIn) return null;
  if (url.protocol !== 'https:' || url.port !== '') return 'must begin with https:// and have no port.';
  const isKnown = hosts?.some((host) => (host.startsWith('.') ? url.hostname.endsWith(host) : url.hostname === host));
  return isKnown === false ? `must be on ${hosts?.map(shown).join(' or ')}, where ${title} has its checkouts.` : null;
}

/** Puts a claim token into the address of a checkout; everything else in it stays. Pure. */
export function completeCheckout({ parameter }: CheckoutLink, address: string, claimToken: string): string {
  const url = new URL(address);
  url.searchParams.set(parameter, claimToken);
  return url.href;
}

const shown = (host: string): string => (host.startsWith('.') ? `a host below ${host.slice(1)}` : host);
