import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { leastTimeOf } from '../../../../test/support/processor-time.js';
import { fitsPattern } from './ref-pattern.js';

describe('a pattern', () => {
  it.each<[string, string, boolean]>([
    ['refs/heads/main', 'refs/heads/main', true],
    ['refs/heads/main', 'refs/heads/Main', false],
    ['refs/heads/main', 'refs/heads/main2', false],
    ['refs/heads/main', 'refs/heads/main/x', false],
    ['refs/heads/main', 'refs/tags/main', false],
    ['refs/tags/v*', 'refs/tags/v1.2.0', true],
    ['refs/tags/v*', 'refs/tags/v', true],
    ['refs/tags/v*', 'refs/tags/w1', false],
    ['refs/tags/v*', 'refs/tags/v1/2', false],
    ['refs/heads/*', 'refs/heads/feature/x', false],
    ['refs/heads/*/*', 'refs/heads/feature/x', true],
    ['refs/heads/release-*-final', 'refs/heads/release-1-final', true],
    ['refs/heads/release-*-final', 'refs/heads/release-final', false],
    ['refs/heads/a*a', 'refs/heads/a', false],
    ['refs/heads/*a*b*', 'refs/heads/xaxbx', true],
    ['refs/heads/*a*b*', 'refs/heads/xbxax', false],
    ['refs/heads/*ab*b', 'refs/heads/xab', false],
    ['*', 'refs/pull/7/merge', false],
    ['prod.*', 'prodX1', false],
    ['', '', true],
    ['', 'x', false],
  ])('%j and the name %j: %s', (pattern, name, fits) => {
    expect(fitsPattern(pattern, name)).toBe(fits);
  });

  const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.', '[', '\\', '*'), maxLength: 12 });

  it('agrees with the regular expression that it stands for', () => {
    fc.assert(
      fc.property(text, text, (pattern, name) => {
        const expression = pattern.replaceAll(/[.[\\]/g, String.raw`\$&`).replaceAll('*', '[^/]*');
        expect(fitsPattern(pattern, name)).toBe(new RegExp(`^${expression}$`, 's').test(name));
      }),
      { numRuns: 2000 },
    );
  });

  it('of many stars is compared in no time', async () => {
    const compare = () => expect(fitsPattern('*a'.repeat(120), `${'a'.repeat(250)}b`)).toBe(false);
    expect(await leastTimeOf(compare)).toBeLessThan(100);
  });
});
