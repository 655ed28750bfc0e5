import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { labelOf } from './device-label.js';

describe('the label of a device', () => {
  it.each<[unknown, string | null | undefined]>([
    ['Laptop', 'Laptop'],
    ['  Laptop ', 'Laptop'],
    ['', null],
    [' ', null],
    [undefined, null],
    ['🦉'.repeat(200), '🦉'.repeat(200)],
    [{ label: 'Laptop', os: 'linux' }, 'Laptop'],
    [{ os: 'linux' }, null],
    [{}, null],
    ['x'.repeat(201), undefined],
    [{ label: 'x'.repeat(201) }, undefined],
    [{ label: 7 }, null],
    [{ label: null }, null],
    ['a\0b', undefined],
    [{ label: 'a\ud800' }, undefined],
    [null, null],
    [7, null],
    [true, null],
    [['Laptop'], null],
  ])('from %j is %j', (deviceInfo, label) => {
    expect(labelOf(deviceInfo)).toBe(label);
  });

  it('from any input is short text, null or refused', () => {
    fc.assert(
      fc.property(fc.anything(), (deviceInfo) => {
        const label = labelOf(deviceInfo);
        expect(label === null || label === undefined || (label.length > 0 && Array.from(label).length <= 200)).toBe(
          true,
        );
      }),
    );
  });
});
