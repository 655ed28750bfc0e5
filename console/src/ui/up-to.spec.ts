import { expect, it } from 'vitest';
import { upTo } from './up-to';

it.each([
  [0, false, '0 licenses'],
  [1, false, '1 license'],
  [1204, false, '1,204 licenses'],
  [10_000, false, '10,000 licenses'],
  [10_000, true, '10,000+ licenses'],
])('%j of a list, and more: %j, is shown as %s', (count, isMore, shown) => {
  expect(upTo({ count, isMore }, 'license')).toBe(shown);
});

it('is a number alone without a word', () => {
  expect(upTo({ count: 1204, isMore: false })).toBe('1,204');
  expect(upTo({ count: 10_000, isMore: true })).toBe('10,000+');
});
