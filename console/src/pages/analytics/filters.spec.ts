import { expect, it } from 'vitest';
import { filterQuery, filtersOf, filterText, isFilterable } from './filters';

it.each([
  ['', [], []],
  ['country=CH', ['Country: Switzerland'], [['country', 'CH']]],
  [
    'store=firefox&version=1.4.0&days=7',
    ['Version: 1.4.0', 'Store: Firefox'],
    [
      ['version', '1.4.0'],
      ['store', 'firefox'],
    ],
  ],
  ['licensed=unknown', ['License: Unknown'], [['licensed', 'unknown']]],
  ['country=&language=other', [], []],
  [`os=${'x'.repeat(65)}`, [], []],
  ['extension=1&metric=new', [], []],
])('the address “%s” looks at %j', (address, words, query) => {
  const filters = filtersOf(new URLSearchParams(address));
  expect(filters.map(filterText)).toEqual(words);
  expect(Object.entries(filterQuery(filters))).toEqual(query);
});

it('what stands for many values cannot be looked at alone; what is unknown can', () => {
  expect(['1.4.0', null, 'other', 'x'.repeat(65)].map(isFilterable)).toEqual([true, true, false, false]);
});
