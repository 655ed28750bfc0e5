import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countIn, figuresFrom, type Counts, type ReportInstance } from './safari.figures.js';

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
