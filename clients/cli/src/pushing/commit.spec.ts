import { describe, expect, it } from 'vitest';
import { commitOf } from './commit.js';

const HASH = '8f3a1c5e0b2d4f6a7c9e1d3b5f7a9c0e2d4b6f81';

describe('the commit of a push', () => {
  it.each([
    [undefined, {}, undefined],
    [undefined, { GITHUB_SHA: HASH }, HASH],
    [undefined, { CI_COMMIT_SHA: HASH, GITHUB_SHA: '' }, HASH],
    [undefined, { GITHUB_SHA: 'main' }, undefined],
    ['8F3A1C5', { GITHUB_SHA: HASH }, '8f3a1c5'],
  ])('given as %j in %j is %j', (named, env, expected) => {
    expect(commitOf(named, env)).toBe(expected);
  });

  it.each(['main', '8f3a1c', `${HASH}${HASH}`])('is not %s', (named) => {
    expect(() => commitOf(named, {})).toThrow(/is not the hash of a commit/);
  });
});
