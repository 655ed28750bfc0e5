import type { paths } from '../api/schema.js';

/** What a list of licenses can be asked for. */
export type LicenseQuery = Pick<
  NonNullable<paths['/api/v1/licenses']['get']['parameters']['query']>,
  'search' | 'codeHint' | 'source'
>;

/** What identifies a license: its id, or queries to try. */
export interface Term {
  readonly id: string | null;
  readonly queries: readonly LicenseQuery[];
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HINT_LENGTH = 5;
/** How an address, the end of a code or the id of an order may begin; more is a code, mistyped. */
const BEGINNING = /^(?=.*@)\S{3,255}$|^\S{3,19}$/;

/** Which purchase an id of a payment processor names, by its shape. */
const PURCHASES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^sub_/, ['stripe:subscription', 'paddle:subscription']],
  [/^cs_/, ['stripe:session']],
  [/^pi_/, ['stripe:payment']],
  [/^in_/, ['stripe:invoice']],
  [/^txn_/, ['paddle:transaction']],
  [/^#?\d+$/, ['lemonsqueezy:order', 'lemonsqueezy:subscription']],
  [UUID, ['polar:order', 'polar:subscription']],
];

/**
 * Reads what a person types to name a license: an e-mail address, a code or its last five symbols, the license's id, a purchase, or how one
 * of them begins. Of a code only the last five symbols are used, so that no whole code is sent. Null when it can be none of these.
 */
export function termOf(text: string): Term | null {
  const term = text.trim();
  if (/^[a-z]+:\S+$/.test(term)) return { id: null, queries: [{ source: term }] };
  const codeHint = codeHintOf(term);
  const kinds = PURCHASES.filter(([shape]) => shape.test(term)).flatMap(([, sources]) => sources);
  const queries = [
    ...(codeHint === null ? [] : [{ codeHint }]),
    ...kinds.map((kind) => ({ source: `${kind}:${term.replace(/^#/, '')}` })),
    ...(codeHint === null && kinds.length === 0 && BEGINNING.test(term) ? [{ search: term }] : []),
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
