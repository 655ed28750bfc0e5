import { describe, expect, it } from 'vitest';
import { filtersOf, lastOfSample, sampleOf, segmentChangesOf, segmentDaysOf } from './segment.js';

it.each([
  [{}, []],
  [{ country: 'CH' }, [{ dimension: 'country', value: 'CH' }]],
  [
    { licensed: 'unknown', version: '1.4.0' },
    [
      { dimension: 'version', value: '1.4.0' },
      { dimension: 'licensed', value: null },
    ],
  ],
])('the query %j asks for %j', (query, filters) => {
  expect(filtersOf(query)).toEqual(filters);
});

it('what is folded cannot be asked for', () => {
  expect(() => filtersOf({ language: 'other' })).toThrow('language: must be a value that is counted separately.');
});

it.each([
  [0, 1, 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  [200_000, 1, 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  [400_000, 0.5, '80000000-ffff-ffff-ffff-ffffffffffff'],
  [3_200_000, 0.0625, '10000000-ffff-ffff-ffff-ffffffffffff'],
])('of %i install-days, the part %d is read, up to %s', (installDays, sample, last) => {
  expect(sampleOf(installDays)).toBe(sample);
  expect(lastOfSample(sample)).toBe(last);
});

describe('a segment', () => {
  const range = { from: '2030-01-06', to: '2030-01-08' };
  const none = { active: 0, new: 0 };
  const counts = new Map([
    ['2030-01-03', { active: 2, new: 2 }],
    ['2030-01-06', { active: 4, new: 1 }],
    ['2030-01-07', { active: 5, new: 2 }],
  ]);

  const comparison = { through: '2030-01-07', began: '', isKnownBefore: true };

  it('of a week has the mean of the active and the sum of the new', () => {
    expect(segmentDaysOf(range, 'week', counts, none)).toEqual([
      { date: '2030-01-06', active: 4, new: 1 },
      { date: '2030-01-07', active: 3, new: 2 },
    ]);
  });

  it('is compared over the days that are final', () => {
    expect(segmentChangesOf(range, comparison, counts, none)).toMatchObject({
      to: '2030-01-07',
      beforeTo: '2030-01-04',
      active: { value: 5, before: 1, change: 4 },
      new: { value: 3, before: 2, change: 0.5 },
    });
  });

  it('has a mean of the days that are known, and no change where those before are not', () => {
    const late = { through: '2030-01-07', began: '2030-01-07', isKnownBefore: false };
    expect(segmentChangesOf(range, late, new Map([['2030-01-07', { active: 5, new: 2 }]]), none)).toMatchObject({
      active: { value: 5, before: null, change: null },
      new: { value: 2, before: null, change: null },
    });
  });

  it('has no new installs where those are not counted', () => {
    const uncounted = { active: 3, new: null };
    expect(segmentDaysOf(range, 'month', new Map(), uncounted)).toEqual([{ date: '2030-01-06', ...uncounted }]);
    expect(segmentChangesOf(range, comparison, new Map(), uncounted).new).toBeNull();
  });
});
