import { describe, expect, it } from 'vitest';
import { unreadText } from './review-words';

describe('what is unread', () => {
  it.each([
    [0, 0, 'Everything is read.'],
    [7, 0, '7 unread.'],
    [1200, 2, '1,200 unread, 2 of them with two stars or fewer.'],
  ])('%d, and %d low', (unread, unreadLow, expected) => {
    expect(unreadText({ unread, unreadLow })).toBe(expected);
  });
});
