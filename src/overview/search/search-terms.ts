import { foldEmail, isEmailAddress } from '../../common/fields/pure.js';

/** What a search text may be. */
export interface SearchTerms {
  /** In lower case; part of a name. */
  readonly name: string;
  readonly storeItem: string;
  /** As a version is written; null when it cannot be one. */
  readonly version: string | null;
  /** In lower case; null when it cannot be one. */
  readonly email: string | null;
  /** The last five characters of a code; null when it cannot be one. */
  readonly codeHint: string | null;
  /** References under which a purchase may be stored; empty when it cannot be one. */
  readonly refs: readonly string[];
}

/** The kinds of ids that processors give a purchase, as the ledger names them. */
const REF_KINDS = ['order', 'subscription', 'payment', 'session', 'invoice', 'transaction'];
const VERSION = /^v?(\d{1,9}(?:\.\d{1,9}){0,3})$/;
/** Five characters that end a code, or may be read as such. */
const HINT = /^(?:…|\.{3})?([0-9a-z]{5})$/i;
const SHORTEST_REF = 4;

/** Returns everything that a search text may be. Pure. */
export function termsOf(text: string): SearchTerms {
  const given = text.trim();
  const isWord = !/\s/.test(given);
  return {
    name: given.toLowerCase(),
    storeItem: given,
    version: VERSION.exec(given)?.[1] ?? null,
    email: isEmailAddress(given) ? foldEmail(given) : null,
    codeHint: HINT.exec(given)?.[1]?.toUpperCase() ?? null,
    refs: isWord && given.length >= SHORTEST_REF ? [given, ...REF_KINDS.map((kind) => `${kind}:${given}`)] : [],
  };
}
