import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { StoreReview } from '../../stores/pure.js';
import { lowRatingMessage } from './low-rating.js';
import { changesOf, type KnownReview } from './review-changes.js';

const NOW = new Date('2026-11-20T12:00:00Z');
const BEFORE = new Date('2026-11-19T12:00:00Z');
const AFTER = new Date('2026-11-20T12:00:01Z');
const day = (number: number): Date => new Date(Date.UTC(2026, 0, number));

const listed = (id: string, change: Partial<StoreReview> = {}): StoreReview => ({
  id,
  stars: 5,
  title: null,
  text: `Text of ${id}`,
  author: 'Ann',
  version: null,
  territory: null,
  writtenAt: day(10),
  answer: null,
  ...change,
});
const known = (storeReviewId: string, change: Partial<KnownReview> = {}): KnownReview => {
  const { id: _id, answer: _answer, ...review } = listed(storeReviewId);
  return {
    ...review,
    id: `row of ${storeReviewId}`,
    storeReviewId,
    editedAt: null,
    readAt: BEFORE,
    answer: null,
    answerState: null,
    answeredAt: null,
    vanishedAt: null,
    ...change,
  };
};
const after = (
  had: readonly KnownReview[],
  reviews: readonly StoreReview[],
  { isComplete = true, isFirst = false }: { isComplete?: boolean; isFirst?: boolean } = {},
) => changesOf(had, { reviews, isComplete }, { startedAt: NOW, isFirst });
const NOTHING = { added: [], changed: [], forgotten: [], low: [] };

describe('what a reading changes', () => {
  it('is nothing when nothing changed', () => {
    expect(after([known('a')], [listed('a')])).toEqual(NOTHING);
    expect(after([], [])).toEqual(NOTHING);
  });

  it('is that a new review is unread', () => {
    const { added } = after([], [listed('a')]);
    expect(added).toEqual([expect.objectContaining({ storeReviewId: 'a', readAt: null, editedAt: null })]);
  });

  it.each<[string, Partial<KnownReview>, Partial<StoreReview>, Partial<KnownReview> | null]>([
    ['other stars', {}, { stars: 4 }, { stars: 4, readAt: null, editedAt: NOW }],
    ['another text', {}, { text: 'New' }, { text: 'New', readAt: null, editedAt: NOW }],
    ['another title', {}, { title: 'New' }, { title: 'New', readAt: null, editedAt: NOW }],
    ['another author', {}, { author: 'Anne' }, { author: 'Anne', readAt: BEFORE, editedAt: null }],
    ['another version', {}, { version: '2.0' }, { version: '2.0', readAt: BEFORE, editedAt: null }],
    [
      'an answer',
      {},
      { answer: { text: 'Thanks', state: 'published' } },
      { answer: 'Thanks', answerState: 'published', readAt: BEFORE },
    ],
    [
      'no answer any more',
      { answer: 'Thanks', answerState: 'published', answeredAt: BEFORE },
      {},
      { answer: null, answerState: null, answeredAt: BEFORE },
    ],
    ['no answer yet that was sent since', { answer: 'Thanks', answerState: 'sending', answeredAt: AFTER }, {}, null],
    [
      'a return with the same stars',
      { text: null, author: null, vanishedAt: BEFORE },
      {},
      { text: 'Text of a', author: 'Ann', vanishedAt: null, readAt: BEFORE },
    ],
    [
      'a return with other stars',
      { text: null, author: null, vanishedAt: BEFORE, stars: 3 },
      {},
      { vanishedAt: null, readAt: null, editedAt: NOW },
    ],
  ])('of one with %s', (_, had, told, expected) => {
    const { changed } = after([known('a', had)], [listed('a', told)]);
    expect(changed).toEqual(expected === null ? [] : [expect.objectContaining(expected)]);
  });

  it('is that what is no longer listed loses what people wrote, once', () => {
    const had = known('a', { title: 'T', answer: 'Thanks', answerState: 'published' });
    const { changed } = after([had], []);
    const gone = { title: null, text: null, author: null, answer: null, answerState: null, vanishedAt: NOW };
    expect(changed).toEqual([expect.objectContaining({ id: had.id, stars: 5, ...gone })]);
    expect(after(changed, [])).toEqual(NOTHING);
  });

  it('is that what is older than all that was read is forgotten', () => {
    const had = [known('old', { writtenAt: day(1) }), known('gone', { writtenAt: day(9) })];
    const { changed, forgotten } = after(had, [listed('a', { writtenAt: day(8) })], { isComplete: false });
    expect(forgotten).toEqual(['row of old']);
    expect(changed.map(({ storeReviewId }) => storeReviewId)).toEqual(['gone']);
  });
});

describe('any reading', () => {
  const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const stars = fc.integer({ min: 1, max: 5 });
  const times = fc.integer({ min: 1, max: 9 }).map(day);
  const told = fc.uniqueArray(fc.record({ id: ids, stars, text: fc.constantFrom('x', 'y', null), writtenAt: times }), {
    selector: ({ id }) => id,
  });
  const reviewsOf = (all: readonly Partial<StoreReview>[]) => all.map(({ id = '', ...one }) => listed(id, one));
  const applied = (had: readonly KnownReview[], changes: ReturnType<typeof changesOf>): readonly KnownReview[] => {
    const changed = new Map(changes.changed.map((one) => [one.id, one]));
    return [
      ...had.filter(({ id }) => !changes.forgotten.includes(id)).map((one) => changed.get(one.id) ?? one),
      ...changes.added.map((one) => ({ ...one, id: `row of ${one.storeReviewId}` })),
    ];
  };

  it('leaves what the store lists and nothing of anybody else, and the same again changes nothing', () => {
    fc.assert(
      fc.property(told, told, told, fc.boolean(), (first, second, third, isComplete) => {
        let had: readonly KnownReview[] = [];
        for (const reviews of [first, second, third].map(reviewsOf)) {
          had = applied(had, after(had, reviews, { isComplete }));
          const standing = had.filter(({ vanishedAt }) => vanishedAt === null);
          expect(standing.map(({ storeReviewId }) => storeReviewId).toSorted()).toEqual(
            reviews.map(({ id }) => id).toSorted(),
          );
          for (const { title, text, author, answer } of had.filter(({ vanishedAt }) => vanishedAt !== null))
            expect([title, text, author, answer]).toEqual([null, null, null, null]);
          expect(after(had, reviews, { isComplete })).toEqual(NOTHING);
        }
      }),
    );
  });
});

describe('what vanished', () => {
  it('is recognized of the last thousand', () => {
    const before = Array.from({ length: 1000 }, (_, at) =>
      known(`gone${at}`, { vanishedAt: new Date(BEFORE.getTime() - at) }),
    );
    expect(after([...before, known('a')], []).forgotten).toEqual(['row of gone999']);
    expect(after([...before, known('a')], [listed('a'), listed('gone999')]).forgotten).toEqual([]);
  });
});

describe('low ratings', () => {
  it.each<[string, readonly KnownReview[], Partial<StoreReview>, boolean, boolean]>([
    ['new', [], { stars: 2 }, false, true],
    ['new, of three stars', [], { stars: 3 }, false, false],
    ['of the first reading', [], { stars: 1 }, true, false],
    ['that fell', [known('a', { stars: 3 })], { stars: 2 }, false, true],
    ['that were as low before', [known('a', { stars: 2 })], { stars: 1 }, false, false],
    ['that came back', [known('a', { stars: 1, text: null, vanishedAt: BEFORE })], { stars: 1 }, false, false],
  ])('are news: %s', (_, had, told, isFirst, isNews) => {
    expect(after(had, [listed('a', told)], { isFirst }).low).toHaveLength(isNews ? 1 : 0);
  });

  it('are no news where an older one takes a place that became free', () => {
    const full = Array.from({ length: 1000 }, (_, at) => known(`k${at}`));
    const [older, newer] = [
      listed('x', { stars: 1, writtenAt: day(9) }),
      listed('y', { stars: 1, writtenAt: day(11) }),
    ];
    expect(after(full, [older, newer], { isComplete: false }).low).toEqual([{ storeReviewId: 'y', stars: 1 }]);
  });

  it.each([
    [[1], 'Store: a new review has one star.'],
    [[2], 'Store: a new review has two stars.'],
    [[2, 1], 'Store: 2 new reviews have two stars or fewer.'],
  ])('%j are told as %s', (stars, message) => {
    expect(
      lowRatingMessage(
        'Store',
        stars.map((one) => ({ stars: one })),
      ),
    ).toBe(message);
  });
});
