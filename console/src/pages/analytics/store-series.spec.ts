import { describe, expect, it } from 'vitest';
import type { Schemas } from '../../api';
import { entryName, linesOf, toldMetrics } from './store-series';

type Entry = Schemas['StoreReportEntry'];

const DAY = {
  date: '2026-11-20',
  users: null,
  disabled: null,
  installs: null,
  uninstalls: null,
  weeklyDownloads: null,
  rating: null,
  ratings: null,
};
const entry = (store: Entry['store'], days: readonly object[], channel: string | null = null): Entry => ({
  targetId: store,
  store,
  channel,
  metrics: ['users', 'rating'],
  readAt: null,
  failure: null,
  days: days.map((day) => ({ ...DAY, ...day })),
  versions: { versions: [], points: [] },
  countries: [],
  languages: [],
});

describe('figures of stores', () => {
  const chrome = entry('chrome', [{ users: 10 }, {}, { users: 0, rating: 4.5 }]);
  const silent = entry('edge', [{}, {}, {}]);

  it('are a line for each store that told them, with a gap where it did not; zero is no gap', () => {
    expect(linesOf([chrome, silent], 'users')).toEqual([{ label: 'Chrome', values: [10, null, 0] }]);
  });

  it('are offered where a store told them, users first', () => {
    expect(toldMetrics([silent, chrome])).toEqual(['users', 'rating']);
    expect(toldMetrics([silent])).toEqual([]);
  });

  it('name the channel only where a store has two', () => {
    const [listed, unlisted] = [entry('firefox', [], 'listed'), entry('firefox', [], 'unlisted')];
    expect(entryName(listed, [chrome, listed])).toBe('Firefox');
    expect(entryName(unlisted, [listed, unlisted])).toBe('Firefox, unlisted');
  });
});
