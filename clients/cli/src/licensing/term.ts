import { PROCESSORS } from '../api/processors.js';
import type { paths } from '../api/schema.js';

/** Search terms of a list of licenses. */
export type LicenseQuery = Pick<
  NonNullable<paths['/api/v1/licenses']['get']['parameters']['query']>,
  'search' | 'codeHint' | 'source'
>;

/** Identification of a license: its id, or queries to try. */
export interface Term {
  readonly id: string | null;
  readonly queries: readonly LicenseQuery[];
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HINT_LENGTH = 5;
/** Beginning of an address, the end of a code or the id of an order; anything longer is a mistyped code. */
const BEGINNING = /^(?=.*@)\S{3,255}$|^\S{3,19}$/;

/** The purchases that an id of a payment processor can name, by its form. */
const sourcesOf = (id: string): readonly string[] =>
  PROCESSORS.flatMap(({ id: processor, purchaseIds }) =>
    purchaseIds
      .filter(({ pattern }) => new RegExp(pattern, 'i').test(id))
      .map(({ kind }) => `${processor}:${kind}:${id}`),
  );

/**
 * Reads what a person types to name a license: an e-mail address, a code or its last five symbols, the license's id, a purchase, or how one
 * of them begins. Of a code only the last five symbols are used, so that no whole code is sent. Null when it can be none of these.
 */
export function termOf(text: string): Term | null {
  const term = text.trim();
  if (/^[a-z]+:\S+$/.test(term)) return { id: null, queries: [{ source: term }] };
  const codeHint = codeHintOf(term);
  const sources = sourcesOf(term.replace(/^#/, ''));
  const queries = [
    ...(codeHint === null ? [] : [{ codeHint }]),
    ...sources.map((source) => ({ source })),
    ...(codeHint === null && sources.length === 0 && BEGINNING.test(term) ? [{ search: term }] : []),
  ];
  return queries.length === 0 ? null : { id: UUID.test(term) ? term.toLowerCase() : null, queries };
}

/** The last five symbols of a code as people type it: whole or not, in any case, with O for 0 and I or L for 1. */
function codeHintOf(text: string): string | null {
  const symbols = text
    .replace(/^(…|\.\.\.)/, '')
    .replaceAll(/[\s-]/g, '')
    .toUpperCase()
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  return /^([0-9A-HJKMNP-TV-Z]{20})?[0-9A-HJKMNP-TV-Z]{5}$/.test(symbols) ? symbols.slice(-HINT_LENGTH) : null;
}
