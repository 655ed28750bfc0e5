/** The properties by which installs are counted; `browserVersion` is the browser with its major version, such as `Firefox 133`. */
export const DIMENSIONS = [
  'version',
  'browser',
  'browserVersion',
  'os',
  'country',
  'language',
  'store',
  'licensed',
] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** Dimensions whose values a sender can invent: per extension and day, only the most frequent are counted separately. */
export const UNBOUNDED_DIMENSIONS: readonly Dimension[] = ['version', 'language', 'browserVersion'];

/** Values counted separately per extension, day and dimension. */
export const MAX_VALUES = 200;

/** Stands for all other values. No real value equals it: versions begin with a digit, and no language code has five letters. */
export const OTHER = 'other';

/** The values of `licensed`. */
export const LICENSED = 'licensed';
export const FREE = 'free';

/** Stored form of an unknown value; answers have null. */
export const UNKNOWN = '';

/** A value and its number of installs. */
export interface Counted {
  readonly value: string;
  readonly installs: number;
}

/** Orders by frequency, then by code unit, like SQL's `collate "C"`, since all values are ASCII. */
export const byUse = (one: Counted, other: Counted): number =>
  other.installs - one.installs || (one.value < other.value ? -1 : one.value > other.value ? 1 : 0);

/** Keeps the most frequent values and folds the rest into `other`; unknown values do not count. Most frequent first. */
export function foldRare(values: readonly Counted[], most: number): readonly Counted[] {
  const named = values.filter(({ value }) => value !== OTHER && value !== UNKNOWN).toSorted(byUse);
  const other = [...named.slice(most), ...values.filter(({ value }) => value === OTHER)];
  const kept = [...named.slice(0, most), ...values.filter(({ value }) => value === UNKNOWN)];
  if (other.length > 0) kept.push({ value: OTHER, installs: other.reduce((sum, { installs }) => sum + installs, 0) });
  return kept.toSorted(byUse);
}
