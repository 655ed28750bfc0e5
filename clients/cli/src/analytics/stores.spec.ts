import { describe, expect, it } from 'vitest';
import type { Schema } from '../api/service.js';
import { storesText } from './stores.js';

type Entry = Schema<'StoreReportEntry'>;

const NOTHING = {
  users: null,
  disabled: null,
  installs: null,
  uninstalls: null,
  weeklyDownloads: null,
  rating: null,
  ratings: null,
};
const entry = (more: Partial<Entry>): Entry => ({
  targetId: 'one',
  store: 'firefox',
  channel: 'listed',
  metrics: ['users', 'rating'],
  readAt: '2026-11-27T12:00:00Z',
  failure: null,
  days: [{ date: '2026-11-26', ...NOTHING }],
  versions: { versions: [], points: [] },
  countries: [],
  languages: [],
  ...more,
});
const textOf = (...stores: readonly Entry[]): readonly string[] =>
  storesText({ extensionId: 'x', from: '2026-11-26', to: '2026-11-27', stores: [...stores] }, (_, text) => text).split(
    '\n',
  );

describe('storesText', () => {
  it('has a table of what the store tells, in which a day without a figure is no zero', () => {
    const days = [
      { date: '2026-11-25', ...NOTHING, users: 48_120 },
      { date: '2026-11-26', ...NOTHING },
      { date: '2026-11-27', ...NOTHING, users: 0, rating: 4.5 },
    ];
    const versions = { versions: ['1.4.0', '1.3.0', '1.2.0'], points: [{ date: '2026-11-25', users: [990, 9, 1] }] };
    expect(textOf(entry({ store: 'chrome', channel: null, days, versions }))).toEqual([
      'Chrome',
      '  DAY          USERS  RATING',
      '  2026-11-25  48,120       ·',
      '  2026-11-26       ·       ·',
      '  2026-11-27       0    4.50',
      'Versions on 2026-11-25: 1.4.0 99 %, 1.3.0 <1 %, 1.2.0 <1 %',
    ]);
  });

  it('begins in a terminal with a curve, in which a day without a figure is a gap', () => {
    const days = [1, null, 8].map((users, at) => ({ date: `2026-11-2${at}`, ...NOTHING, users }));
    const terminal = Object.assign((_format: unknown, text: string) => text, { width: 80 });
    const report = { extensionId: 'x', from: '2026-11-20', to: '2026-11-22', stores: [entry({ days })] };
    expect(storesText(report, terminal).split('\n')[1]).toBe('  Users  ▁·█  1 to 8, 3 days');
  });

  it.each<[what: string, more: Partial<Entry>, sentence: string]>([
    ['tells nothing', { metrics: [] }, 'The API of this store tells no figures.'],
    ['was not read', { readAt: null }, 'Not read yet.'],
    ['told nothing', {}, 'The store told nothing about these days.'],
    ['could not be read', { readAt: null, failure: 'It is away.' }, 'The last reading was not complete: It is away.'],
  ])('says of a store that it %s', (_, more, sentence) => {
    expect(textOf(entry(more))).toEqual(['Firefox, listed', sentence]);
  });

  it('says that there is nothing to ask', () => {
    expect(textOf()).toEqual(['No target of this extension has an item at a store yet.']);
  });
});
