import { describe, expect, it } from 'vitest';
import { usualReview, wayOf } from './reviews.js';

const START = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;

/** Events of a version, newest first; each is its kind and the hour at which it happened. */
const events = (version: string, ...told: readonly (readonly [kind: string, hour: number])[]) =>
  told.map(([kind, hour]) => ({ version, kind: `phase_${kind}`, at: new Date(START + hour * HOUR) })).toReversed();

const hourOf = (time: Date | null): number | null => time && (time.getTime() - START) / HOUR;

describe('the way of a version', () => {
  it.each<[string, Parameters<typeof events>[1][], (number | null)[]]>([
    ['has no times before it is submitted', [], [null, null, null]],
    ['is in review', [['in_review', 1]], [1, null, null]],
    [
      'goes live at once when it is approved',
      [
        ['in_review', 1],
        ['live', 5],
      ],
      [1, 5, 5],
    ],
    [
      'waits after its approval',
      [
        ['in_review', 1],
        ['approved', 5],
        ['live', 9],
      ],
      [1, 5, 9],
    ],
    [
      'is being released',
      [
        ['in_review', 1],
        ['releasing', 5],
        ['live', 6],
      ],
      [1, 5, 6],
    ],
    [
      'ends with a rejection',
      [
        ['in_review', 1],
        ['rejected', 3],
      ],
      [1, 3, null],
    ],
    [
      'begins another review when it is submitted again',
      [
        ['in_review', 1],
        ['rejected', 3],
        ['in_review', 7],
      ],
      [7, null, null],
    ],
    [
      'stays in the review that a failed check interrupted',
      [
        ['in_review', 1],
        ['in_review', 2],
        ['live', 5],
      ],
      [1, 5, 5],
    ],
    [
      'is as if it had not been sent once its review was cancelled',
      [
        ['in_review', 1],
        ['action_required', 4],
      ],
      [null, null, null],
    ],
    [
      'begins another review when it is submitted after a cancelled one',
      [
        ['in_review', 1],
        ['action_required', 4],
        ['in_review', 40],
        ['live', 43],
      ],
      [40, 43, 43],
    ],
    ['goes live without a review', [['live', 4]], [null, null, 4]],
    [
      'was live from the first time on',
      [
        ['in_review', 1],
        ['live', 4],
        ['live', 8],
      ],
      [1, 4, 4],
    ],
    [
      'was decided only once',
      [
        ['in_review', 1],
        ['approved', 3],
        ['rejected', 5],
      ],
      [1, 3, null],
    ],
  ])('%s', (_, told, expected) => {
    const { submittedAt, decidedAt, liveAt } = wayOf(events('1.0.0', ...told));
    expect([submittedAt, decidedAt, liveAt].map(hourOf)).toEqual(expected);
  });
});

describe('usual reviews', () => {
  /** Events of one review after another, each of another version and of so many hours. */
  const reviews = (...hours: readonly number[]) =>
    hours
      .flatMap((took, at) => events(`1.${at}.0`, ['in_review', at * 1000], ['live', at * 1000 + took]).toReversed())
      .toReversed();
  const usual = (told: readonly ReturnType<typeof events>[number][]) => {
    const found = usualReview(told);
    return found && [found.fromSeconds / 3600, found.toSeconds / 3600, found.reviews];
  };

  it.each<[string, readonly number[], readonly number[] | null]>([
    ['are not known of none', [], null],
    ['are not known of two', [3, 5], null],
    ['are known of three, between the quickest and the slowest', [2, 12, 7], [3, 11, 3]],
    ['are one figure where all took the same', [4, 4, 4, 4], [4, 4, 4]],
    ['leave out the quickest and the slowest tenth', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 200], [2, 10, 11]],
    [
      'are those of the last twenty',
      [...Array.from({ length: 10 }, () => 900), ...Array.from({ length: 20 }, () => 6)],
      [6, 6, 20],
    ],
  ])('%s', (_, hours, expected) => {
    expect(usual(reviews(...hours))).toEqual(expected);
  });

  it('count each review of a version that is submitted again, and none that is still open', () => {
    const again = events(
      '2.0.0',
      ['in_review', 0],
      ['rejected', 2],
      ['in_review', 10],
      ['rejected', 12],
      ['in_review', 20],
      ['approved', 22],
      ['live', 90],
    );
    expect(usual(again)).toEqual([2, 2, 3]);
    expect(usual(again.slice(2))).toBeNull();
  });

  it('are kept of a version that is live, when another platform of it is cancelled', () => {
    const live = events('2.0.0', ['in_review', 0], ['live', 6]);
    const other = events('2.0.0', ['in_review', 0], ['live', 6], ['action_required', 9]);
    expect(wayOf(other)).toEqual(wayOf(live));
  });

  it('do not count a review that was cancelled, nor the pause after it', () => {
    const cancelled = events('2.0.0', ['in_review', 0], ['action_required', 2], ['in_review', 500], ['live', 506]);
    expect(usual([...cancelled, ...reviews(6, 6)])).toEqual([6, 6, 3]);
  });
});
