import { expect, it } from 'vitest';
import { compared, comparedSales, trendsOf } from './figures.js';

it.each([
  [120, 100, 0.2],
  [90, 100, -0.1],
  [100, 100, 0],
  [0, 100, -1],
  [2, 3, -0.333],
  [-50, 100, -1.5],
  [5, 0, null],
  [0, 0, null],
  [5, -10, null],
])('%d after %d is a change of %p', (value, before, change) => {
  expect(compared(value, before)).toEqual({ value, before, change });
});

it('sales are compared by currency, also of one that was sold in one of the weeks only', () => {
  const rows = [
    { currency: 'USD', isBefore: false, net: 900 },
    { currency: 'EUR', isBefore: false, net: 300 },
    { currency: 'EUR', isBefore: true, net: 200 },
    { currency: 'GBP', isBefore: true, net: 100 },
  ];
  expect(comparedSales(rows)).toEqual([
    { currency: 'EUR', value: 300, before: 200, change: 0.5 },
    { currency: 'GBP', value: 0, before: 100, change: -1 },
    { currency: 'USD', value: 900, before: 0, change: null },
  ]);
});

it.each([
  ['installs', [['installs', 1, 7]], { of: 'installs', days: [null, 7, null] }],
  [
    'users where there are no installs',
    [
      ['users', 0, 4],
      ['users', 2, 5],
    ],
    { of: 'users', days: [4, null, 5] },
  ],
  [
    'installs where there are both',
    [
      ['users', 0, 4],
      ['installs', 2, 9],
    ],
    { of: 'installs', days: [null, null, 9] },
  ],
] as const)('a trend is of %s', (_, rows, expected) => {
  const all = rows.map(([of, day, amount]) => ({ extensionId: 'one', of, day, amount }));
  expect(trendsOf(all, 3)).toEqual(new Map([['one', expected]]));
});
