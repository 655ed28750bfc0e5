import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { compareVersions, isVersion, parseVersion, versionFault } from './version.js';

const numbers = fc.array(fc.integer({ min: 0, max: 999_999_999 }), { minLength: 1, maxLength: 4 });
const storeVersion = numbers.map((parts) => parts.join('.'));
const small = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 5 }).map((parts) => parts.join('.'));
const oddVersion = fc.tuple(small, fc.constantFrom('', 'b1', 'b2', '.', '-rc.1', ' ')).map((parts) => parts.join(''));
const anyVersion = fc.oneof(storeVersion, oddVersion, fc.string());

describe('a version', () => {
  it.each([
    ['0', [0]],
    ['1', [1]],
    ['1.0', [1, 0]],
    ['10.20.30', [10, 20, 30]],
    ['1.2.3.65535', [1, 2, 3, 65535]],
    ['65536', [65536]],
    ['1.20261122.999999999', [1, 20261122, 999999999]],
    ['0.0.0.0', [0, 0, 0, 0]],
  ])('is read from %j', (text, parts) => {
    expect(parseVersion(text)).toEqual(parts);
    expect(isVersion(text)).toBe(true);
  });

  it.each([
    '',
    '.',
    '1.',
    '.1',
    '1..2',
    '1.2.3.4.5',
    '01',
    '1.00',
    '1000000000',
    '1.1234567890',
    '-1',
    '+1',
    '1e3',
    '1.0b1',
    'v1',
  ])('is not read from %j', (text) => {
    expect(parseVersion(text)).toBeNull();
    expect(isVersion(text)).toBe(false);
  });

  it.each(['1.0\n', ' 1.0', '1.0 ', '1,0', '１', '0x1', '1.0\0'])(
    'tolerates nothing around its numbers: %j',
    (text) => {
      expect(parseVersion(text)).toBeNull();
    },
  );

  it('is read back from every list of one to four numbers', () => {
    fc.assert(
      fc.property(numbers, (parts) => {
        expect(parseVersion(parts.join('.'))).toEqual(parts);
      }),
    );
  });
});

describe("a store's restrictions on versions", () => {
  const CHROME = { mostVersionNumbers: 4, largestVersionNumber: 65_535, refusesVersionZero: true };
  const FIREFOX = { mostVersionNumbers: 4, largestVersionNumber: 999_999_999, refusesVersionZero: false };
  const SAFARI = { ...FIREFOX, mostVersionNumbers: 3 };

  it.each([
    ['1.2.3.65535', null, null],
    ['0.0.0.1', null, null],
    ['1.65536', 'its numbers may be at most 65535', null],
    ['1.20261122', 'its numbers may be at most 65535', null],
    ['0', 'one of its numbers must not be 0', null],
    ['0.0.0', 'one of its numbers must not be 0', null],
  ])('of %s', (version, ofChrome, ofFirefox) => {
    expect(versionFault(version, CHROME)).toBe(ofChrome);
    expect(versionFault(version, FIREFOX)).toBe(ofFirefox);
  });

  it.each([
    ['1.2.3.4', 'it may have at most 3 numbers'],
    ['0.0.0.5', 'it may have at most 3 numbers'],
    ['1.2.3.0', null],
    ['1.2.0.0', null],
    ['1.2.3', null],
    ['0', null],
  ])('of %s, where a version has three numbers', (version, fault) => {
    expect(versionFault(version, SAFARI)).toBe(fault);
  });
});

describe('the order of versions', () => {
  it.each([
    ['1.0', '1.0.0.0', 0],
    ['1.2', '1.10', -1],
    ['2', '1.65535.65535.65535', 1],
    ['1.0.0.1', '1.0', 1],
    ['1.0b1', '1.0', -1],
    ['1.0b1', '1.0b2', -1],
    ['1.0b1', '1.0.1', -1],
    ['1.0b1', '0.9', 1],
    ['1.0b1', '1.0.0b1', 0],
    ['', '0', 0],
    ['', 'beta', 1],
    ['99999999999999999999', '65535', 1],
    ['999999999999999999', '999999999999999998', 1],
    ['20260630.0520', '20260630.520', 0],
    ['20260630.0520', '20260630.1', 1],
  ] as const)('compares %j with %j as %d', (a, b, order) => {
    expect(compareVersions(a, b)).toBe(order);
  });

  it('accepts any two texts, and is antisymmetric', () => {
    fc.assert(
      fc.property(anyVersion, anyVersion, (a, b) => {
        expect(compareVersions(a, b) + compareVersions(b, a)).toBe(0);
        expect([-1, 0, 1]).toContain(compareVersions(a, b));
      }),
    );
  });

  it('is reflexive', () => {
    fc.assert(
      fc.property(anyVersion, (a) => {
        expect(compareVersions(a, a)).toBe(0);
      }),
    );
  });

  it('is transitive', () => {
    fc.assert(
      fc.property(anyVersion, anyVersion, anyVersion, (...versions) => {
        const [a, b, c] = versions.sort(compareVersions);
        const steps = [compareVersions(a, b), compareVersions(b, c)];
        expect([...steps, compareVersions(a, c)]).not.toContain(1);
        if (steps.every((step) => step === 0)) expect(compareVersions(a, c)).toBe(0);
      }),
      { numRuns: 2000 },
    );
  });

  it('compares versions of numbers part by part', () => {
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        const at = [0, 1, 2, 3].find((i) => (a[i] ?? 0) !== (b[i] ?? 0));
        const expected = at === undefined ? 0 : Math.sign((a[at] ?? 0) - (b[at] ?? 0));
        expect(compareVersions(a.join('.'), b.join('.'))).toBe(expected);
      }),
    );
  });
});
