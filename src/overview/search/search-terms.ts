import { foldEmail, isEmailAddress } from '../../common/fields/pure.js';

/** What somebody may have in hand. */
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
  /** Under which a purchase may be known; empty when it cannot be one. */
  readonly refs: readonly string[];
}

/** What the processors' ids of a purchase are of, as the ledger names them. */
const REF_KINDS = ['order', 'subscription', 'payment', 'session', 'invoice', 'transaction'];
const VERSION = /^v?(\d{1,9}(?:\.\d{1,9}){0,3})$/;
/** The symbols of a code, and those that are read as one of them. */
const HINT = /^(?:…|\.{3})?([0-9a-z]{5})$/i;
const SHORTEST_REF = 4;

/** Says what a text may be: whatever fits is looked for. Pure. */
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
