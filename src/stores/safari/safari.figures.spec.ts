import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { countIn, figuresFrom, ratingsFrom, type Counts, type ReportInstance } from './safari.figures.js';

const HEAD = 'Date\tApp Name\tEvent\tDownload Type\tApp Version\tTerritory\tCounts\tUnique Devices';
const line = (day: string, event: string, download: string, count: number | string): string =>
  [day, 'Owl', event, download, '1.0', 'CH', count, count].join('\t');
const partOf = (...lines: readonly string[]): string => [HEAD, ...lines, ''].join('\n');
const on = (processedOn: string, ...parts: readonly string[]): ReportInstance => {
  const days = new Map<string, Counts>();
  for (const part of parts) countIn(part, days);
  return { processedOn, days };
};
const shown = (instances: readonly ReportInstance[]): object =>
  Object.fromEntries(figuresFrom(instances).map(({ day, metric, amount }) => [`${day} ${metric}`, amount]));

it('adds up all parts of an instance, and counts no update as an install', () => {
  const parts = [
    partOf(
      line('2030-01-01', 'Install', 'First-time download', 5),
      line('2030-01-01', 'Install', 'Auto-update', 90),
      line('2030-01-01', 'Delete', '', 2),
    ),
    partOf(line('2030-01-01', 'INSTALL', 'Redownload', 7), line('2030-01-02', 'Delete', '', 6)),
  ];
  expect(shown([on('2030-01-03', ...parts)])).toEqual({
    '2030-01-01 installs': 12,
    '2030-01-01 uninstalls': 2,
    '2030-01-02 installs': 0,
    '2030-01-02 uninstalls': 6,
  });
});

it('lets a later instance replace what earlier ones say of a day', () => {
  const first = on('2030-01-02', partOf(line('2030-01-01', 'Install', 'Redownload', 5)));
  const later = on('2030-01-04', partOf(line('2030-01-01', 'Install', 'Redownload', 8)));
  for (const instances of [
    [first, later],
    [later, first],
  ])
    expect(shown(instances)).toEqual({ '2030-01-01 installs': 8, '2030-01-01 uninstalls': 0 });
});

it('finds its columns by their names, and leaves out what it cannot read', () => {
  const part = [
    '\uFEFFcounts\tEVENT\tdate\tDownload type',
    '3\tinstall\t2030-01-01\tRedownload',
    '\tinstall\t2030-01-01\tRedownload',
    'many\tinstall\t2030-01-01\tRedownload',
    '-4\tinstall\t2030-01-01\tRedownload',
    '4\tinstall\tyesterday\tRedownload',
    '4\tinstall\t2030-13-45\tRedownload',
    '',
  ].join('\r\n');
  expect(shown([on('2030-01-02', part)])).toEqual({ '2030-01-01 installs': 3, '2030-01-01 uninstalls': 0 });
  expect(shown([on('2030-01-02', '', 'no report', partOf())])).toEqual({});
});

it('reads any text without a fault, and tells whole numbers of days alone', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (parts) => {
      for (const { day, amount } of figuresFrom([on('2030-01-02', ...parts, parts.join('\t'))])) {
        expect(day).toMatch(/^\d{4}-\d{2}-\d{2}$/);
        expect(Number.isSafeInteger(amount)).toBe(true);
      }
    }),
  );
});

describe('ratings of the lookup', () => {
  const read = (json: unknown): object | undefined => {
    const figures = ratingsFrom(json, '6447', '2030-01-02');
    expect(figures?.every(({ day }) => day === '2030-01-02')).not.toBe(false);
    return figures && Object.fromEntries(figures.map(({ metric, amount }) => [metric, amount]));
  };
  const answer = (...results: readonly unknown[]): object => ({ resultCount: results.length, results });
  const app = (averageUserRating: unknown, userRatingCount: unknown): object =>
    answer({ trackId: 6447, averageUserRating, userRatingCount });

  it.each([
    ['a mean and a count', app(4.23723, 38_715), { rating: 4.23723, ratings: 38_715 }],
    ['zero ratings, whose mean nobody gave', app(0, 0), { ratings: 0 }],
    ['zero ratings with a mean', app(4.5, 0), { ratings: 0 }],
    ['no ratings', answer({ trackId: 6447 }), {}],
    ['a mean alone', app(3, undefined), { rating: 3 }],
    ['a count alone', app(null, 7), { ratings: 7 }],
    ['numbers in text', app('4.5', '12'), {}],
    ['a mean that five stars do not give', app(5.01, 2), { ratings: 2 }],
    ['a mean below one star', app(0.5, 2), { ratings: 2 }],
    ['a count below zero', app(4, -1), { rating: 4 }],
    ['part of a rating', app(4, 1.5), { rating: 4 }],
    ['no app in the storefront', answer(), {}],
    ['another app alone', answer({ trackId: 1, averageUserRating: 5, userRatingCount: 9 }), {}],
    ['an id in text', answer({ trackId: '6447', averageUserRating: 5, userRatingCount: 9 }), {}],
    [
      'another app first',
      answer({ trackId: 1, userRatingCount: 9 }, { trackId: 6447, userRatingCount: 2 }),
      { ratings: 2 },
    ],
    ['results that are none', answer(null, 'text', [6447]), {}],
  ])('of %s', (_, json, expected) => {
    expect(read(json)).toEqual(expected);
  });

  it.each([[undefined], [null], ['text'], [[]], [{}], [{ errorMessage: 'no' }], [{ resultCount: 1, results: {} }]])(
    'are not in %j',
    (json) => {
      expect(read(json)).toBeUndefined();
    },
  );

  it('are read from any JSON without a fault', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.jsonValue(), (mean, count, json) => {
        read(json);
        const { rating = 1, ratings = 0 } = read(app(mean, count)) as { rating?: number; ratings?: number };
        expect(rating >= 1 && rating <= 5 && Number.isSafeInteger(ratings) && ratings >= 0).toBe(true);
      }),
    );
  });
});
