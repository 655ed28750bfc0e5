import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { inAscii } from '../terminal/printable.js';
import type { Style } from '../terminal/style.js';
import { widthOf } from '../terminal/width.js';
import { curveText, sparkline } from './curve.js';

const at = (width: number): Style => Object.assign((_format: unknown, text: string) => text, { width });
const days = (values: readonly (number | null)[]) => ({ name: 'Active', step: 'day', values });

describe('a sparkline', () => {
  it.each([
    [[0, 1, 2, 3, 4, 5, 6, 7], '▁▂▃▄▅▆▇█'],
    [[980, 1204], '▁█'],
    [[5, null, null, 10], '▁··█'],
    [[7, 7], '▄▄'],
    [[0, 0], '▁▁'],
    [[null], '·'],
    [[], ''],
  ])('of %j is %s', (values, line) => expect(sparkline(values)).toBe(line));

  it('has one column for each value, and none that grows is drawn lower', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 40 }), (values) => {
        const sorted = values.toSorted((one, other) => one - other);
        const line = sparkline(sorted);
        expect([...line]).toEqual([...line].toSorted((one, other) => (one < other ? -1 : 1)));
        expect(widthOf(line)).toBe(values.length);
      }),
    );
  });

  it('has as many levels in ASCII, and a gap that is none of them', () =>
    expect(new Set(inAscii('▁▂▃▄▅▆▇█·')).size).toBe(9));
});

describe('a curve', () => {
  it('has the last 28 figures with their range', () =>
    expect(curveText(days([99_999, ...Array.from({ length: 28 }, (_, day) => 1_000 + day)]), at(80))).toBe(
      '  Active  ▁▁▂▂▂▂▃▃▃▃▄▄▄▄▅▅▅▅▆▆▆▆▇▇▇▇██  1,000 to 1,027, 28 days',
    ));

  it('leaves its range out where there is no room', () =>
    expect(curveText(days(Array.from({ length: 28 }, () => 5)), at(40))).toBe(`  Active  ${'▄'.repeat(28)}`));

  it('is not drawn in a file, nor of nothing', () => {
    expect(curveText(days([1, 2]), (_format, text) => text)).toBe('');
    expect(curveText(days([null]), at(80))).toBe('');
  });
});
