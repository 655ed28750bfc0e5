import { expect, it } from 'vitest';
import { curvesOf, type Counted } from './adoption';

const COUNTED: Counted = {
  versions: ['1.0', '1.1', 'other'],
  points: [
    { date: '2026-02-27', counts: [10, 0, 0] },
    { date: '2026-02-28', counts: [6, 2, 2] },
    { date: '2026-03-02', counts: [1, 9, 0] },
    { date: '2026-03-03', counts: [0, 0, 0] },
  ],
};
const live = (version: string, date: string) => ({ version, date });
const shown = (...args: Parameters<typeof curvesOf>) =>
  curvesOf(...args).map((curve) => [curve.version, ...curve.shares.slice(0, 5)]);

it.each<[string, Parameters<typeof curvesOf>[1], readonly (readonly unknown[])[]]>([
  ['is unknown where nothing went live', [], []],
  ['is unknown of a version that nobody has', [live('1.2', '2026-02-28')], []],
  ['is unknown before anything is counted', [live('1.1', '2026-03-03')], []],
  [
    'begins with the day on which it went live, across months',
    [live('1.1', '2026-02-28')],
    [['1.1', 0.2, null, 0.9, null, null]],
  ],
  [
    'begins at the first store',
    [live('1.1', '2026-02-28'), live('1.1', '2026-03-02')],
    [['1.1', 0.2, null, 0.9, null, null]],
  ],
  [
    'has the newest version first',
    [live('1.0', '2026-02-27'), live('1.1', '2026-03-02')],
    [
      ['1.1', 0.9, null, null, null, null],
      ['1.0', 1, 0.6, null, 0.1, null],
    ],
  ],
])('the adoption %s', (_, versions, expected) => {
  expect(shown(COUNTED, versions)).toEqual(expected);
});

it('is of five versions', () => {
  const versions = ['1', '2', '3', '4', '5', '6'];
  const points = versions.map((version) => ({ date: `2026-03-0${version}`, counts: versions.map(() => 1) }));
  const all = versions.map((version) => live(version, `2026-03-0${version}`));
  expect(curvesOf({ versions, points }, all).map(({ version }) => version)).toEqual(['6', '5', '4', '3', '2']);
});
