import type { DateOrder } from './dates.js';
import { foldName } from './fold.js';
import type { Field, ImportWord, ProfileName } from './profile.js';
import { profileOf } from './profiles/index.js';

/** Stands for every product, and for a product whose lines are left out. */
export const [EVERY_PRODUCT, LEAVE_OUT] = ['*', '-'];

/** How a file is read: by a profile, and by what its owner said besides. */
export interface Reading {
  readonly profile: ProfileName | null;
  /** The columns that a field is read from, in the order of precedence. */
  readonly columns: Readonly<Partial<Record<Field, readonly string[]>>>;
  /** The tier of each product; `*` for any other, `-` to leave its lines out. */
  readonly tiers: Readonly<Record<string, string>>;
  /** What statuses come to that the profile does not know. */
  readonly statuses: Readonly<Record<string, ImportWord>>;
  /** What comes first in dates such as 03/04/2027; absent while no other date of the file has told it. */
  readonly dates?: DateOrder;
}

/** A value of a column, and the number of lines that have it. */
export interface CountedValue {
  readonly value: string;
  readonly lines: number;
}

/** Proposes the columns of fields by their names. Pure. */
export function proposeColumns(profile: ProfileName | null, names: readonly string[]): Reading['columns'] {
  const byFolded = new Map(names.toReversed().map((name) => [foldName(name), name]));
  const proposed = Object.entries(profileOf(profile).columns).map(([field, places]) => [
    field,
    places.flatMap((place) => place.flatMap((one) => byFolded.get(one) ?? [])[0] ?? []),
  ]);
  return Object.fromEntries(proposed.filter(([, found = []]) => found.length > 0)) as Reading['columns'];
}

/** Finds a column that is read and that the file has twice; null for none. Pure. */
export const columnTwice = (columns: Reading['columns'], names: readonly string[]): string | null =>
  Object.values(columns)
    .flat()
    .find((name) => names.indexOf(name) !== names.lastIndexOf(name)) ?? null;

/** Proposes tiers for products: the one of the same name, the only one whose name is a word of the product's, or the only one for the only product. Pure. */
export function proposeTiers(products: readonly string[], tiers: readonly string[]): Readonly<Record<string, string>> {
  const wordsOf = (text: string): readonly string[] => text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const proposed = products.flatMap((product): [string, string][] => {
    const same = tiers.find((tier) => foldName(tier) === foldName(product));
    const named = tiers.filter((tier) => wordsOf(tier).every((word) => wordsOf(product).includes(word)));
    const only = products.length === 1 && tiers.length === 1 ? tiers[0] : undefined;
    const tier = same ?? (named.length === 1 ? named[0] : undefined) ?? only;
    return tier === undefined ? [] : [[product, tier]];
  });
  const [only] = tiers.length === 1 && products.length === 0 ? tiers : [];
  return Object.fromEntries(only === undefined ? proposed : [[EVERY_PRODUCT, only]]);
}

/** Fields without which no line can be a license. Pure. */
export function missingFields({ columns, tiers }: Reading): readonly Field[] {
  const has = (field: Field): boolean => (columns[field]?.length ?? 0) > 0;
  return [
    ...(has('email') ? [] : ['email' as const]),
    ...(has('tier') || tiers[EVERY_PRODUCT] !== undefined ? [] : ['tier' as const]),
    ...(has('code') || has('order') ? [] : ['code' as const]),
  ];
}

/** What is to know of a file: that it lacks columns, and how its dates are read. Pure. */
export function notesOf({ profile, dates }: Pick<Reading, 'profile' | 'dates'>, names: readonly string[]): string[] {
  const folded = new Set(names.map(foldName));
  const lacking = (profileOf(profile).notes ?? []).filter(({ without }) => !folded.has(without));
  return [...lacking.map(({ note }) => note), ...(dates === undefined ? [] : [NOTE_OF_DATES[dates]])];
}

const NOTE_OF_DATES: Readonly<Record<DateOrder, string>> = {
  'day-first': '03/04/2027 is read as 3 April, since other dates of the file begin with the day.',
  'month-first': '03/04/2027 is read as March 4, since other dates of the file begin with the month.',
};
