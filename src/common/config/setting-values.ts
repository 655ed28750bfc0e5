import { foldEmail, isEmailAddress } from '../fields/pure.js';
import { withoutTrailingSlashes } from '../net/pure.js';

// Parsers of variables. The message of a thrown error completes "NAME must …".

/** A key with its id. */
export interface IdentifiedKey {
  readonly id: string;
  readonly key: Uint8Array;
}

const KEY_BYTES = 32;

/** Any text. */
export const text = (value: string): string => value;

/** A whole number within bounds. */
export const wholeNumber =
  (min: number, max: number) =>
  (value: string): number => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max)
      throw new Error(`be a whole number from ${min} to ${max}`);
    return number;
  };

/** One of some words. */
export const oneOf =
  <const T extends string>(...allowed: readonly T[]) =>
  (value: string): T => {
    const found = allowed.find((one) => one === value);
    if (found === undefined) throw new Error(`be one of ${allowed.join(', ')}`);
    return found;
  };

/** `true` or `false`. */
export const yesOrNo = (value: string): boolean => oneOf('true', 'false')(value) === 'true';

/** An absolute http(s) URL, without trailing slashes, so that paths can be appended. */
export const url = (value: string): string => {
  const parsed = URL.canParse(value) ? new URL(value) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) throw new Error('be an absolute http or https URL');
  if (parsed.username !== '' || parsed.password !== '' || parsed.hash !== '')
    throw new Error('contain no user name, password or fragment');
  return withoutTrailingSlashes(value);
};

/** Whether a host, as configured or in a URL, is a loopback address. */
export const isLoopback = (host: string): boolean =>
  ['localhost', '::1', '[::1]'].includes(host) || /^127(\.\d+){3}$/.test(host);

const ANY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** The URL of a service that listens at an address, as this machine opens it: that of all interfaces cannot be opened. */
export function localUrl({ host, port }: { readonly host: string; readonly port: number }): string {
  const reachable = ANY_ADDRESS.has(host) ? 'localhost' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/** An OpenID issuer, exactly as the provider writes it, since it compares every character. Plain http only on this machine. */
export const issuer = (value: string): string => {
  url(value);
  const { protocol, hostname, search } = new URL(value);
  if (search !== '') throw new Error('have no query');
  if (protocol !== 'https:' && !isLoopback(hostname))
    throw new Error('be an https URL, unless its host is this machine');
  return value;
};

/** Names of mail domains. */
export const domains = (value: string): readonly string[] =>
  Object.freeze(
    value.split(',').map((part) => {
      const domain = part.trim().toLowerCase();
      if (!isEmailAddress(`anyone@${domain}`)) throw new Error('be a list of domains, such as example.com,example.org');
      return domain;
    }),
  );

/** A URL with one of some protocols. */
export const urlOf =
  (...protocols: readonly string[]) =>
  (value: string): string => {
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol))
      throw new Error(`be a URL that begins with ${protocols.map((one) => `${one}//`).join(' or ')}`);
    return value;
  };

/** Text of a minimum length. */
export const atLeast =
  (length: number) =>
  (value: string): string => {
    if (value.length < length) throw new Error(`have at least ${length} characters`);
    return value;
  };

/** An e-mail address, or a name followed by one in angle brackets. */
export const mailbox = (value: string): string => {
  const [, name = '', inBrackets] = /^([^<>,;:"@\p{Cc}]*)<([^<>]+)>$/u.exec(value) ?? [];
  if (!isEmailAddress(inBrackets ?? value)) throw new Error('be an e-mail address, or a name followed by one in <>');
  return inBrackets === undefined ? value : `${name.trim()} <${inBrackets}>`.trim();
};

/** An e-mail address that sign-up would accept too; another could never log in. */
export const email = (value: string): string => {
  const folded = foldEmail(value);
  if (!isEmailAddress(folded)) throw new Error('be an e-mail address');
  return folded;
};

/** The name of an HTTP header. */
export const headerName = (value: string): string => {
  if (!/^[A-Za-z0-9-]{1,64}$/.test(value)) throw new Error('be the name of a header');
  return value;
};

/** Keys as id:base64key pairs. */
export const keyRing = (value: string): readonly IdentifiedKey[] => {
  const keys = value.split(',').map((part) => {
    const [, id, encoded] = /^\s*([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/_-]+={0,2})\s*$/.exec(part) ?? [];
    const key = Buffer.from(encoded ?? '', 'base64');
    if (id === undefined || key.length !== KEY_BYTES)
      throw new Error(`be a list of id:base64key, each key ${KEY_BYTES} bytes long, the current one first`);
    return { id, key: new Uint8Array(key) };
  });
  if (new Set(keys.map((one) => one.id)).size !== keys.length) throw new Error('name each key id once');
  return keys;
};

/** Quotas as name:limit pairs. */
export const tenantQuotas = (value: string): Readonly<Record<string, number>> => {
  const entries = value.split(',').map((part): [string, number] => {
    const [, name, limit] = /^\s*([a-z][a-z0-9_-]{0,31}):(\d{1,6})\s*$/.exec(part) ?? [];
    if (name === undefined) throw new Error('be a list of name:limit, where limit is a number and 0 means no limit');
    return [name, Number(limit)];
  });
  return Object.freeze(Object.fromEntries(entries));
};

/** Issuers of CI tokens; one without encryption must be on this machine. */
export const ciIssuers = (value: string): readonly string[] =>
  value.split(',').map((part) => {
    const address = url(part.trim());
    if (!address.startsWith('https:') && !isLoopback(new URL(address).hostname))
      throw new Error('be a list of https URLs; http only on this machine');
    return address;
  });

/** Numbers of days, weeks and months that keep a backup, such as `7d4w6m`. */
export const retention = (
  value: string,
): { readonly days: number; readonly weeks: number; readonly months: number } => {
  const [, days, weeks, months] = /^(\d{1,3})d(\d{1,3})w(\d{1,3})m$/.exec(value) ?? [];
  if (months === undefined) throw new Error('be a number of days, weeks and months, such as 7d4w6m');
  return { days: Number(days), weeks: Number(weeks), months: Number(months) };
};

/** Public keys of age, separated by commas. */
export const ageRecipients = (value: string): readonly string[] =>
  Object.freeze(
    value.split(',').map((part) => {
      const recipient = part.trim();
      if (!/^age1[a-z0-9]{20,2000}$/.test(recipient))
        throw new Error('be a list of public keys of age, each beginning with age1');
      return recipient;
    }),
  );
