import { describe, expect, it } from 'vitest';
import { reviewPageFrom as chromePage } from './chrome/chrome.reviews.js';
import { reviewPageFrom as firefoxPage } from './firefox/firefox.reviews.js';
import { pagesOfReviews, reviewFrom, type StoreReview } from './reviews.js';
import { reviewPageFrom as safariPage } from './safari/safari.user-reviews.js';

const JSON_OF = { id: 'a', stars: 4, title: null, text: 'Good', author: 'Ann', version: null, territory: null };
const GOOD = { ...JSON_OF, writtenAt: '2026-03-05T10:00:00Z' };
const review = (id: string): StoreReview => reviewFrom({ ...GOOD, id }) as StoreReview;

describe('a review', () => {
  it.each([
    ['id', ''],
    ['id', { deep: 'a' }],
    ['stars', 0],
    ['stars', 6],
    ['stars', 4.5],
    ['stars', '4'],
    ['stars', null],
    ['writtenAt', 'yesterday'],
    ['writtenAt', 1_770_000_000],
    ['writtenAt', undefined],
  ])('with %s %j is left out', (name, value) => {
    expect(reviewFrom({ ...GOOD, [name]: value })).toBeNull();
  });

  it.each<[string, unknown, string | null]>([
    ['no text', undefined, null],
    ['a null', null, null],
    ['blanks', ' \n ', null],
    ['a number', 7, null],
    ['emoji', '👩‍👩‍👧 good', '👩‍👩‍👧 good'],
    ['a character that cannot be stored', 'a\u0000b', 'ab'],
    ['half a character', 'a\ud800', 'a\ufffd'],
    ['a secret', 'my key is sk_live_abcdefgh12345678', 'my key is [redacted]'],
  ])('has a text of %s as it can be kept', (_, text, expected) => {
    expect(reviewFrom({ ...GOOD, text })?.text).toBe(expected);
  });

  it('has a text of limited length, whatever comes', () => {
    const long = reviewFrom({ ...GOOD, text: 'x'.repeat(10_000_000), author: '👍'.repeat(100_000) });
    expect([...(long?.text ?? '')]).toHaveLength(10_000);
    expect([...(long?.author ?? '')].length).toBeLessThanOrEqual(200);
  });
});

describe('pages of reviews', () => {
  const pages = (...all: readonly (readonly string[])[]) =>
    pagesOfReviews<number>('Store', (at = 0) =>
      Promise.resolve({ reviews: (all[at] ?? []).map(review), next: at + 1 < all.length ? at + 1 : undefined }),
    );

  it('are one list, in which each has its first place', async () => {
    const { reviews, isComplete } = await pages(['a', 'b'], ['b', 'c'], []);
    expect([reviews.map(({ id }) => id), isComplete]).toEqual([['a', 'b', 'c'], true]);
  });

  it('of which none can be read are refused, and one of several is left out', async () => {
    const read = (...reviews: readonly (StoreReview | null)[]) => Promise.resolve({ reviews, next: undefined });
    await expect(pagesOfReviews('Store', () => read(null, null))).rejects.toMatchObject({ kind: 'retry' });
    expect((await pagesOfReviews('Store', () => read(null, review('a')))).reviews).toHaveLength(1);
    expect((await pagesOfReviews('Store', () => read())).reviews).toEqual([]);
  });

  it('end with the thousandth', async () => {
    const many = (from: number): string[] => Array.from({ length: 400 }, (_, at) => String(from + at));
    const { reviews, isComplete } = await pages(many(0), many(400), many(800), many(1200));
    expect([reviews.length, reviews.at(-1)?.id, isComplete]).toEqual([1000, '999', false]);
  });

  it('that do not end are refused', async () => {
    const read = () => Promise.resolve({ reviews: [review('a')], next: 1 });
    await expect(pagesOfReviews<number>('Store', read)).rejects.toMatchObject({ kind: 'retry' });
  });
});

describe('garbage', () => {
  it.each([null, [], {}, 'text', [null, 7, 'text', {}], [{ name: 7, rating: 'five' }]])(
    '%j is no review',
    (garbage) => {
      expect(chromePage({ reviews: garbage }).reviews.filter(Boolean)).toEqual([]);
      expect(firefoxPage({ results: garbage }, 1).reviews.filter(Boolean)).toEqual([]);
      expect(safariPage({ data: garbage }).reviews.filter(Boolean)).toEqual([]);
    },
  );
});
