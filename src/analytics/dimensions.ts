/** What installs are told apart by; `browserVersion` is the browser with its major version, such as `Firefox 133`. */
export const DIMENSIONS = ['version', 'browser', 'browserVersion', 'os', 'country', 'language'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** Those whose values are the sender's to invent: per extension and day only the most used are told apart. */
export const INVENTED: readonly Dimension[] = ['version', 'language', 'browserVersion'];

/** Values told apart per extension, day and dimension. */
export const MOST_VALUES = 200;

/** What is not told apart. No value of its own is called so: versions begin with a digit, languages have other lengths. */
export const OTHER = 'other';

/** How "unknown" is stored; answers say null. */
export const UNKNOWN = '';

/** A value and how many installs have it. */
export interface Counted {
  readonly value: string;
  readonly installs: number;
}

/** The most used first, and by code unit among equals; the same order as SQL's `collate "C"`, since all values are ASCII. */
export const byUse = (one: Counted, other: Counted): number =>
  other.installs - one.installs || (one.value < other.value ? -1 : one.value > other.value ? 1 : 0);

/** Keeps the most used values and folds the rest into `other`. What is unknown, or other already, takes no place. Most used first. */
export function foldRare(values: readonly Counted[], most: number): readonly Counted[] {
  const named = values.filter(({ value }) => value !== OTHER && value !== UNKNOWN).toSorted(byUse);
  const other = [...named.slice(most), ...values.filter(({ value }) => value === OTHER)];
  const kept = [...named.slice(0, most), ...values.filter(({ value }) => value === UNKNOWN)];
  if (other.length > 0) kept.push({ value: OTHER, installs: other.reduce((sum, { installs }) => sum + installs, 0) });
  return kept.toSorted(byUse);
}
