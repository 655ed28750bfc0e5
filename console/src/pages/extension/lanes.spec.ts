import { describe, expect, it } from 'vitest';
import { axisOf, stretchesOf, ticksOf, type Axis, type Way } from './lanes';

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const time = (days: number): string => new Date(START + days * DAY).toISOString();

/** A version, by the days on which it was pushed, submitted, decided about and live. */
function way(
  version: string,
  [pushed, submitted = null, decided = null, live = null]: readonly (number | null)[],
  {
    state = live === null ? 'in_review' : 'live',
    at = 0,
  }: { readonly state?: Way['state']; readonly at?: number } = {},
): Way {
  const timeOf = (days: number | null): string | null => (days === null ? null : time(days));
  return {
    version,
    state,
    at: time(at),
    pushedAt: time(pushed ?? 0),
    submittedAt: timeOf(submitted),
    decidedAt: timeOf(decided),
    liveAt: timeOf(live),
  };
}

/** From day 0 to day 10, with the present at its end. */
const AXIS: Axis = { from: START, to: START + 10 * DAY, now: START + 10 * DAY };
const USUAL = { fromSeconds: 86_400, toSeconds: 3 * 86_400, reviews: 3 };

const drawn = (ways: readonly Way[], axis = AXIS, usual: typeof USUAL | null = null): readonly string[] =>
  stretchesOf({ ways, usual }, axis).map(
    ({ version, kind, from, to }) => `${version} ${kind} ${Math.round(from * 100)}-${Math.round(to * 100)}`,
  );

describe('a lane', () => {
  it.each<[string, readonly Way[], readonly string[]]>([
    ['has nothing without versions', [], []],
    ['has a version that waits to be sent', [way('1.0', [8], { state: 'queued' })], ['1.0 pushed 80-100']],
    ['has one in review', [way('1.0', [5, 6])], ['1.0 pushed 50-60', '1.0 review 60-100']],
    [
      'has one that waits after its approval',
      [way('1.0', [5, 6, 8], { state: 'approved' })],
      ['1.0 pushed 50-60', '1.0 review 60-80', '1.0 approved 80-100'],
    ],
    [
      'ends where the store refused it',
      [way('1.0', [5, 6, 8], { state: 'rejected', at: 8 })],
      ['1.0 pushed 50-60', '1.0 review 60-80', '1.0 rejected 80-80'],
    ],
    [
      'ends where its package was refused',
      [way('1.0', [5], { state: 'failed', at: 6 })],
      ['1.0 pushed 50-60', '1.0 rejected 60-60'],
    ],
    ['is live until now', [way('1.0', [1, 1, 2, 2])], ['1.0 review 10-20', '1.0 live 20-100']],
    ['is live without a review', [way('1.0', [1, null, null, 2])], ['1.0 pushed 10-20', '1.0 live 20-100']],
    [
      'is live until the next one is',
      [way('1.1', [6, null, null, 7]), way('1.0', [1, null, null, 2], { state: 'superseded', at: 7 })],
      ['1.0 pushed 10-20', '1.1 pushed 60-70', '1.0 live 20-70', '1.1 live 70-100'],
    ],
    [
      'is live until the store took it back',
      [way('1.0', [1, null, null, 2], { state: 'superseded', at: 5 })],
      ['1.0 pushed 10-20', '1.0 live 20-50'],
    ],
    ['begins at the axis', [way('1.0', [-9, -9, -8, -7])], ['1.0 live 0-100']],
  ])('%s', (_, ways, expected) => {
    expect(drawn(ways)).toEqual(expected);
  });

  it('shows when a review usually ends', () => {
    const axis = { ...AXIS, now: START + 7 * DAY };
    expect(drawn([way('1.0', [5, 6])], axis, USUAL)).toEqual([
      '1.0 pushed 50-60',
      '1.0 review 60-70',
      '1.0 expected 70-90',
    ]);
    expect(drawn([way('1.0', [5, 6, 7, 7])], axis, USUAL)).not.toContainEqual(expect.stringContaining('expected'));
  });
});

describe('the axis', () => {
  const axis = (...lanes: Parameters<typeof axisOf>[0]) => {
    const found = axisOf(lanes, START + 100 * DAY);
    return found && [found.from, found.to].map((at) => Math.round((at - START) / DAY));
  };
  const versions = (days: readonly number[]): readonly Way[] =>
    days.map((day) => way(`1.${day}`, [day, null, null, day]));

  it('reaches from the fifth newest push of all lanes to the present', () => {
    expect(axis()).toBeNull();
    expect(axis({ ways: versions([50]), usual: null })).toEqual([50, 101]);
    expect(
      axis({ ways: versions([90, 70, 50]), usual: null }, { ways: versions([90, 80, 60, 0]), usual: null }),
    ).toEqual([50, 101]);
  });

  it('reaches to the usual end of a review, but not far beyond the present', () => {
    const ways = [way('2.0', [99, 99]), ...versions([90])];
    expect(axis({ ways, usual: USUAL })).toEqual([90, 102]);
    expect(axis({ ways, usual: { ...USUAL, toSeconds: 90 * 86_400 } })).toEqual([90, 104]);
  });

  it.each<[days: number, expected: readonly number[], isDay: boolean]>([
    [0.125, [0, 0.042, 0.083, 0.125], false],
    [3, [0, 0.5, 1, 1.5, 2, 2.5, 3], false],
    [10, [0, 2, 4, 6, 8, 10], true],
    [100, [16, 44, 72, 100], true],
    [4000, [665, 1332, 1999, 2666, 3333, 4000], true],
  ])('of %d days has a few marks, the last of which is the present', (days, expected, isDay) => {
    const marks = ticksOf({ from: START, to: START + days * DAY, now: START + days * DAY });
    const at = marks.map(({ time: one }) => Math.round(((one - START) / DAY) * 1000) / 1000);
    expect(at).toEqual(expected);
    expect(marks.every((mark) => mark.isDay === isDay)).toBe(true);
  });
});
