import {
  beginningWith,
  domainsBeginningWith,
  foldEmail,
  namesWith,
  type TextRange,
} from '../../../common/fields/pure.js';
import { SHORTEST_PART_OF_ORDER } from '../../../licensing/pure.js';

/** Readings of a search text. */
export interface SearchTerms {
  /** In lower case; part of a name. */
  readonly name: string;
  readonly storeItem: string;
  /** As a version is written; null when it cannot be one. */
  readonly version: string | null;
  /** The beginning of an address, in lower case; null when no address begins so. */
  readonly email: TextRange | null;
  /** The beginning of its domain; null when there is no `email`. */
  readonly domain: TextRange | null;
  /** The words of a buyer's name, as a `tsquery`; null when no name begins so. */
  readonly buyers: string | null;
  /** The beginning of a code's last five characters; null when no code has such. */
  readonly codeHint: TextRange | null;
  /** References under which a purchase may be stored; empty when there is none. */
  readonly refs: readonly TextRange[];
}

/** The kinds of ids that processors give a purchase, as the ledger names them. */
const REF_KINDS = ['order', 'subscription', 'payment', 'session', 'invoice', 'transaction'];
const VERSION = /^v?(\d{1,9}(?:\.\d{1,9}){0,3})$/;
/** Characters that may begin the end of a code. */
const HINT = /^(?:…|\.{3})?([0-9a-z]{3,5})$/i;
const SHORTEST_EMAIL = 3;
const SHORTEST_REF = 4;

/** Returns everything that a search text may be. Pure. */
export function termsOf(text: string): SearchTerms {
  const given = text.trim();
  const isWord = !/\s/.test(given);
  const hint = HINT.exec(given)?.[1]?.toUpperCase();
  const email = isWord && given.length >= SHORTEST_EMAIL ? foldEmail(given) : null;
  const ref = (stored: string): TextRange =>
    given.length < SHORTEST_PART_OF_ORDER ? { from: stored, to: stored } : beginningWith(stored);
  return {
    name: given.toLowerCase(),
    storeItem: given,
    version: VERSION.exec(given)?.[1] ?? null,
    email: email === null ? null : beginningWith(email),
    domain: email === null ? null : domainsBeginningWith(email),
    buyers: namesWith(given),
    codeHint: hint === undefined ? null : beginningWith(hint),
    refs:
      isWord && given.length >= SHORTEST_REF ? [given, ...REF_KINDS.map((kind) => `${kind}:${given}`)].map(ref) : [],
  };
}
