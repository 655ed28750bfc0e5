import { nameOf, type Dimension } from './names';

/** What installs can be looked at by, in words. */
export const DIMENSION_NAMES: Readonly<Record<Dimension, string>> = {
  version: 'Version',
  store: 'Store',
  country: 'Country',
  language: 'Language',
  browser: 'Browser',
  browserVersion: 'Browser',
  os: 'System',
  licensed: 'License',
};
const DIMENSIONS = Object.keys(DIMENSION_NAMES) as readonly Dimension[];

/** How the address and the service name installs that did not tell a property. */
const UNKNOWN = 'unknown';
const MOST = 64;

/** A property that all installs shown have. */
export interface Filter {
  readonly dimension: Dimension;
  readonly value: string | null;
}

/** Whether a value can be looked at alone: `other` stands for many. Pure. */
export const isFilterable = (value: string | null): boolean => value !== 'other' && (value?.length ?? 0) <= MOST;

/** Reads the filters of an address; what the service would refuse is none. Pure. */
export const filtersOf = (search: URLSearchParams): readonly Filter[] =>
  DIMENSIONS.flatMap((dimension): Filter[] => {
    const value = search.get(dimension);
    if (value === null || value === '' || !isFilterable(value)) return [];
    return [{ dimension, value: value === UNKNOWN ? null : value }];
  });

/** The value of a filter in the address and in the query of the service. Pure. */
export const askedValue = (value: string | null): string => value ?? UNKNOWN;

/** The query of the service for some filters. Pure. */
export const filterQuery = (filters: readonly Filter[]): Partial<Record<Dimension, string>> =>
  Object.fromEntries(filters.map(({ dimension, value }) => [dimension, askedValue(value)]));

/** A filter in words, such as "Country: Germany". Pure. */
export const filterText = ({ dimension, value }: Filter): string =>
  `${DIMENSION_NAMES[dimension]}: ${nameOf(dimension, value)}`;
