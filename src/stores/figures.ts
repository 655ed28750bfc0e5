/** What a store counts of an item. Users, shares of users and ratings are as of the day; installs and uninstalls are those of the day. */
export const STORE_METRICS = [
  'users',
  'disabled',
  'installs',
  'uninstalls',
  'weeklyDownloads',
  'rating',
  'ratings',
] as const;
/** The metrics of users' ratings, which are always those of the day of the reading. */
export const RATINGS = ['rating', 'ratings'] as const satisfies readonly (typeof STORE_METRICS)[number][];
export type StoreMetric = (typeof STORE_METRICS)[number];

/** What a store divides an item's users by. */
export const USER_DIMENSIONS = ['version', 'country', 'language'] as const;
export type UserDimension = (typeof USER_DIMENSIONS)[number];

/** One figure of a store about one UTC day. */
export interface StoreFigure {
  /** As `2030-01-31`. */
  readonly day: string;
  readonly metric: StoreMetric;
  /** The part of the users that is counted; absent for all. */
  readonly of?: { readonly dimension: UserDimension; readonly value: string };
  /** A count, or for `rating` the mean of all ratings from 1 to 5. */
  readonly amount: number;
}

/** A part of what a store counts. It is read, and fails, on its own. */
export type FigurePart = () => Promise<readonly StoreFigure[]>;

/** UTC days from the first to the last, both inclusive, as `2030-01-31`. */
export interface FigureRange {
  readonly from: string;
  readonly to: string;
}
