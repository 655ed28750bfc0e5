/** Texts from the first to the last, both included, in the order of bytes: of a column with `collate "C"`. */
export interface TextRange {
  readonly from: string;
  readonly to: string;
}

/** All texts that begin with this one. As a range, since PostgreSQL uses no index for a pattern in a kept plan. */
export const beginningWith = (text: string): TextRange => ({ from: text, to: `${text}\u{10FFFF}` });

/** The domains of addresses that begin with a text, or with what follows its `@`; both in lower case. */
export const domainsBeginningWith = (text: string): TextRange => beginningWith(text.replace(/^@/, ''));
