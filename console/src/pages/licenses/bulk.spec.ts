import { describe, expect, it } from 'vitest';
import { bulkRequestOf, changing, mostChanged, requestsOf, togetherOf, type Answer } from './bulk';
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
    expect(bulkRequestOf(action, value, { filter: FILTER })).toEqual(request);
  });

  it('names the chosen ones', () => {
    expect(bulkRequestOf('revoke', '', { ids: ['one'] })).toEqual({ action: 'revoke', ids: ['one'] });
  });

  it('is asked for in hundreds, when more are chosen', () => {
    const ids = Array.from({ length: 250 }, (_, at) => `license ${at}`);
    const requests = requestsOf({ action: 'revoke', ids });
    expect(requests.map((one) => [one.action, one.ids?.length])).toEqual([
      ['revoke', 100],
      ['revoke', 100],
      ['revoke', 50],
    ]);
    expect(requests.flatMap((one) => one.ids)).toEqual(ids);
    expect(requestsOf({ action: 'revoke', filter: FILTER })).toEqual([{ action: 'revoke', filter: FILTER }]);
    const answer = togetherOf([preview(98, 2), preview(40, 10)]);
    expect(answer).toMatchObject({ matched: 150, nextCursor: null });
    expect(changing(answer)).toBe('Change 138 licenses');
    expect(togetherOf([preview(3, 97, 20)]).nextCursor).toBe('more');
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
