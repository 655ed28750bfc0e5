import { describe, expect, it } from 'vitest';
import { rangeOf } from './range.js';
import { overviewText, reportText, sharesText } from './report.js';

const NOW = new Date('2026-11-22T23:30:00Z');
const plain = (_format: unknown, text: string): string => text;
const figures = (active: number) => ({ active, new: 2, unique7: active * 2, unique28: active * 3, lapsed: 0 });
const share = (value: string | null, part: number) => ({ value, installs: part * 1000, share: part });

describe('a range of days', () => {
  it.each([
    [{}, {}],
    [{ from: '2026-11-01' }, { from: '2026-11-01' }],
    [{ last: '1' }, { from: '2026-11-22' }],
    [{ last: '90d' }, { from: '2026-08-25' }],
    [
      { last: '7d', to: '2026-03-03' },
      { from: '2026-02-25', to: '2026-03-03' },
    ],
  ])('%j is %j', (options, range) => expect(rangeOf(options, NOW)).toEqual(range));

  it.each([
    [{ from: '2026-02-30' }, '"2026-02-30" is not a valid day.'],
    [{ to: 'today' }, '"today" is not a valid day.'],
    [{ last: '0' }, '"0" is not a number of days.'],
    [{ last: 'week' }, '"week" is not a number of days.'],
    [{ last: '7', from: '2026-01-01' }, '--last and --from cannot be combined.'],
  ])('is not %j', (options, message) => expect(() => rangeOf(options, NOW)).toThrow(message));
});

const changes = {
  from: '2026-11-21',
  to: '2026-11-21',
  beforeFrom: '2026-11-19',
  beforeTo: '2026-11-19',
  active: { value: 1204, before: 1075, change: 0.12 },
  new: { value: 96, before: 100, change: -0.04 },
  lapsed: { value: 3, before: 3, change: 0.001 },
  unique7: { value: 0, before: 0, change: null },
  unique28: { value: 0, before: 0, change: null },
};

describe('a report', () => {
  const none = {
    version: [],
    browser: [],
    browserVersion: [],
    os: [],
    country: [],
    language: [],
    store: [],
    licensed: [],
  };
  const report = {
    from: '2026-11-21',
    to: '2026-11-22',
    granularity: 'day' as const,
    closedThrough: '2026-11-21',
    stores: { values: [], points: [] },
    licensed: { values: [], points: [] },
    live: [],
    previous: [],
    changes,
    segment: null,
    days: [
      { date: '2026-11-21', ...figures(980) },
      { date: '2026-11-22', ...figures(1204) },
    ],
    shares: {
      ...none,
      version: [
        share('1.4.0', 0.5),
        share('1.3.2', 0.2),
        share('1.3.1', 0.1),
        share('1.3.0', 0.1),
        share('1.2', 0.09),
        share('other', 0.01),
      ],
      country: [share('CH', 0.996), share(null, 0.004)],
    },
    adoption: { versions: [], points: [] },
  };

  it('has a row for each step and a line for each dimension', () => {
    expect(reportText(report, plain)).toBe(
      [
        '  1,204 (+12 %) active a day, 96 (−4 %) new, 3 (±0 %) silent for 28 days',
        '  2026-11-21 to 2026-11-21 against 2026-11-19 to 2026-11-19',
        '',
        '  DAY         ACTIVE  NEW  7 DAYS  28 DAYS',
        '  2026-11-21     980    2   1,960    2,940',
        '  2026-11-22   1,204    2   2,408    3,612',
        '',
        '  Versions   1.4.0 50 %, 1.3.2 20 %, 1.3.1 10 %, 1.3.0 10 %, others 10 %',
        '  Browsers',
        '  Systems',
        '  Countries  CH 100 %, unknown <1 %',
        '  Languages',
      ].join('\n'),
    );
  });

  it('begins in a terminal with a curve, in which a day that is not closed is a gap', () => {
    const terminal = Object.assign((_format: unknown, text: string) => text, { width: 80 });
    expect(reportText(report, terminal)).toMatch(/^ {2}Active {2}▄· {2}980, 2 days\n\n {2}1,204 /);
  });

  it('of one dimension has all of its values', () => {
    expect(sharesText(report.shares.country, 'country', plain)).toBe(
      ['  COUNTRIES  INSTALL-DAYS  SHARE', '  CH                  996  100 %', '  unknown               4   <1 %'].join(
        '\n',
      ),
    );
  });

  it('of all extensions ends with their sums', () => {
    const extensions = [
      { extensionId: 'a', name: 'Tab Counter', change: 0.2, ...figures(1200) },
      { extensionId: 'b', name: 'Night Owl', change: null, ...figures(4) },
    ];
    const overview = { from: '', to: '', closedThrough: '', days: report.days, previous: [], changes, extensions };
    expect(overviewText(overview, plain).split('\n').at(-1)).toBe('  All           1,204    4   2,408    3,612');
    expect(overviewText({ ...overview, extensions: extensions.slice(0, 1) }, plain)).not.toContain('All');
  });

  it('of nothing says so', () => {
    const days = [{ date: '2026-11-22', ...figures(0) }];
    expect([reportText({ ...report, days }, plain), sharesText([], 'os', plain)]).toEqual(
      Array.from({ length: 2 }, () => 'No installs reported on these days.'),
    );
    expect(
      overviewText({ from: '', to: '', closedThrough: '', days, previous: [], changes, extensions: [] }, plain),
    ).toBe('No installs reported on these days.');
  });
});
