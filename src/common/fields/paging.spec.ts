import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { newId } from './ids.js';
import { Problem } from '../problems/index.js';
import { readPage, toPage } from './paging.js';

const rowsOf = (count: number): { readonly id: string }[] => Array.from({ length: count }, () => ({ id: newId() }));
const show = ({ id }: { readonly id: string }): string => id;

describe('a page', () => {
  it('begins at the newest and holds 50 when nobody says otherwise', () => {
    const { limit, after } = readPage({});
    expect(limit).toBe(50);
    expect(newId() < after).toBe(true);
  });

  it('is the last one when no row is left beyond it', () => {
    const rows = rowsOf(3);
    expect(toPage(rows, 3, show)).toEqual({ items: rows.map(show), nextCursor: null });
    expect(toPage([], 3, show)).toEqual({ items: [], nextCursor: null });
  });

  it('leads to the row after its own last one', () => {
    const rows = rowsOf(4);
    const { items, nextCursor } = toPage(rows, 3, show);
    expect(items).toEqual(rows.slice(0, 3).map(show));
    expect(readPage({ cursor: nextCursor ?? '' }).after).toBe(rows[2]?.id);
  });

  it('is refused for a cursor that no page gave, whatever the text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.base64String()), (cursor) => {
        expect(() => readPage({ cursor })).toThrow(Problem);
      }),
    );
  });
});
