import { describe, expect, it } from 'vitest';
import { leastTimeOf } from '../../../test/support/processor-time.js';
import { withoutTrailingSlashes } from './trailing-slashes.js';

describe('a URL without the slashes at its end', () => {
  it.each([
    ['https://ci.example', 'https://ci.example'],
    ['https://ci.example//', 'https://ci.example'],
    ['https://ci.example/a/', 'https://ci.example/a'],
    ['/', ''],
    ['', ''],
  ])('of %j is %j', (url, without) => {
    expect(withoutTrailingSlashes(url)).toBe(without);
  });

  it('takes no longer for many slashes before another character', async () => {
    const url = `${'/'.repeat(100_000)}x`;
    expect(await leastTimeOf(() => expect(withoutTrailingSlashes(url)).toBe(url))).toBeLessThan(20);
  });
});
