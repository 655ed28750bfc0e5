import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { ANY_CHARACTER } from '../../../test/support/any-character.js';
import { newId } from './ids.js';
import { Problem } from '../problems/index.js';
import { MOST_COUNTED, readPage, toCount, toPage } from './paging.js';

const rowsOf = (count: number): { readonly id: string }[] => Array.from({ length: count }, () => ({ id: newId() }));
const show = ({ id }: { readonly id: string }): string => id;

describe('a page', () => {
  it('begins with the newest and has 50 items by default', () => {
    const { limit, after } = readPage({});
    expect(limit).toBe(50);
    expect(newId() < after).toBe(true);
  });

  it('is the last when no row follows', () => {
    const rows = rowsOf(3);
    expect(toPage(rows, 3, show)).toEqual({ items: rows.map(show), nextCursor: null });
    expect(toPage([], 3, show)).toEqual({ items: [], nextCursor: null });
  });

  it('links to the row after its last one', () => {
    const rows = rowsOf(4);
    const { items, nextCursor } = toPage(rows, 3, show);
    expect(items).toEqual(rows.slice(0, 3).map(show));
    expect(readPage({ cursor: nextCursor ?? '' }).after).toBe(rows[2]?.id);
  });

  it('refuses a cursor of no page', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: ANY_CHARACTER }), fc.base64String()), (cursor) => {
        expect(() => readPage({ cursor })).toThrow(Problem);
      }),
    );
  });
});

it('a count ends where it says that there are more', () => {
  expect(toCount(MOST_COUNTED)).toEqual({ count: MOST_COUNTED, isMore: false });
  expect(toCount(MOST_COUNTED + 1)).toEqual({ count: MOST_COUNTED, isMore: true });
});
