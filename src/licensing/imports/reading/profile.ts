import type { IMPORT_COLUMNS } from '../../bulk/pure.js';

/** What a column of a file may hold. */
export type Field = (typeof IMPORT_COLUMNS)[number];

/** What a status of another tool comes to: a status here, an end, or that the line is left out. */
export const IMPORT_WORDS = ['active', 'suspended', 'revoked', 'expired', 'skip'] as const;
export type ImportWord = (typeof IMPORT_WORDS)[number];

/** Tools whose files are known, in the order in which they are looked for. */
export const PROFILE_NAMES = ['pierhead', 'gumroad', 'polar', 'keygen', 'lemonsqueezy'] as const;
export type ProfileName = (typeof PROFILE_NAMES)[number];

/** A column of yes and no that says something about the license. */
interface Flag {
  readonly column: string;
  readonly is: boolean;
  readonly means: Exclude<ImportWord, 'active'>;
  /** A column whose yes takes it back. */
  readonly unless?: string;
}

/** Rows that are no licenses. */
interface LeftOut {
  readonly column: string;
  /** What its cell says, folded. */
  readonly says: readonly string[];
  /** A column whose rows are licenses even so, when it is filled. */
  readonly unlessFilled?: string;
}

/**
 * The export of a tool, as data. Names of columns and words of cells are folded: see `foldName`. A field has places, and each of these the names that
 * its column may have: the first filled place counts; those of the tier are joined, since a product and its variant name it together.
 */
export interface Profile {
  /** All columns of one of these are in the file. */
  readonly recognizedBy: readonly (readonly string[])[];
  readonly columns: Partial<Readonly<Record<Field, readonly (readonly string[])[]>>>;
  readonly statuses: Readonly<Record<string, ImportWord>>;
  readonly flags?: readonly Flag[];
  readonly leftOut?: readonly LeftOut[];
  /** What to know of a file that lacks a column. */
  readonly notes?: readonly { readonly without: string; readonly note: string }[];
}
