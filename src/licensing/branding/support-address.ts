import { isEmailAddress } from '../../common/fields/pure.js';

/** Address for the questions of buyers. */
export interface SupportLink {
  readonly href: string;
  /** The text of the link. */
  readonly label: string;
}

/** Maximum length of the address, in characters. */
export const MAX_SUPPORT_ADDRESS = 254;

/** Parses a support address: an e-mail address, or an https URL without a user name. Pure. @returns null for anything else */
export function parseSupportAddress(text: string): SupportLink | null {
  if (isEmailAddress(text)) {
    const at = text.lastIndexOf('@');
    return { href: `mailto:${encodeURIComponent(text.slice(0, at))}${text.slice(at)}`, label: text };
  }
  if (!/^https:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) return null;
  const { href, host, pathname, search, username, password } = new URL(text);
  if (username !== '' || password !== '') return null;
  return { href, label: `${host}${pathname === '/' ? '' : pathname}${search}` };
}
