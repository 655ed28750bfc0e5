import { describe, expect, it } from '@jest/globals';
import { bulkRequestOf, changing, mostChanged, type Answer } from './bulk';
import { endOf, lastDayOf } from './days';

const FILTER = { status: 'active' } as const;
const preview = (changed: number, refused = 0, beyond = 0) =>
  ({
    matched: changed + refused + beyond,
    nextCursor: beyond === 0 ? null : 'more',
    items: [...Array<string>(changed).fill('changed'), ...Array<string>(refused).fill('refused')].map((outcome) => ({
      outcome,
    })),
  }) as unknown as Answer;

describe('a change of many licenses', () => {
  it.each([
    ['suspend', '', { action: 'suspend', filter: FILTER }],
    ['extend', '2030-01-31', { action: 'extend', filter: FILTER, expiresAt: '2030-01-31T23:59:59Z' }],
    ['extend', '', { action: 'extend', filter: FILTER, expiresAt: '' }],
    ['raise', '5', { action: 'raise', filter: FILTER, maxActivations: 5 }],
    // The service refuses 0, while null would be all.
    ['raise', 'all', { action: 'raise', filter: FILTER, maxActivations: 0 }],
  ] as const)('to %s by “%s” sends %j', (action, value, request) => {
    expect(bulkRequestOf(action, value, FILTER)).toEqual(request);
  });

  it.each([
    ['none that would change', preview(0, 3), 0, 'Nothing to change'],
    ['one', preview(1, 3), 1, 'Change 1 license'],
    ['several', preview(2), 2, 'Change 2 licenses'],
    ['those beyond the first hundred, as far as they may change', preview(3, 97, 20), 23, 'Change up to 23 licenses'],
    ['only those beyond', preview(0, 100, 1), 1, 'Change up to 1 license'],
  ])('counts %s', (_, answer, most, button) => {
    expect(mostChanged(answer)).toBe(most);
    expect(changing(answer)).toBe(button);
  });
});

it('the last day of a license ends by UTC, and is the same when it is read again', () => {
  expect(endOf('')).toBeNull();
  expect(lastDayOf(null)).toBe('');
  expect(lastDayOf(endOf('2030-01-31'))).toBe('2030-01-31');
});
