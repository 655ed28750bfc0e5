import { describe, expect, it } from 'vitest';
import { overlap, placeOf, scopeOf, scopesAt, type ArtifactScope } from './scope.js';

describe('the scope of an artifact', () => {
  it.each<[ArtifactScope, ReturnType<typeof placeOf>]>([
    ['any', { store: null, targetId: null }],
    ['chrome', { store: 'chrome', targetId: null }],
    ['chrome:beta', { store: 'chrome', targetId: 'beta' }],
  ])('%s is that of a pin there, and leads back to the place', (scope, place) => {
    expect(placeOf(scope)).toEqual(place);
    expect(scopeOf(place)).toBe(scope);
  });

  it('of one target comes before that of its store, and that before the one for all', () => {
    expect(scopesAt({ id: 'beta', store: 'chrome' })).toEqual(['chrome:beta', 'chrome', 'any']);
  });

  it.each<[ArtifactScope, ArtifactScope, boolean]>([
    ['any', 'any', true],
    ['any', 'chrome', true],
    ['any', 'chrome:beta', true],
    ['chrome', 'chrome', true],
    ['chrome', 'firefox', false],
    ['chrome', 'chrome:beta', true],
    ['chrome', 'firefox:beta', false],
    ['chrome:beta', 'chrome:beta', true],
    ['chrome:beta', 'chrome:stable', false],
    ['chrome:beta', 'firefox:beta', false],
  ])('%s and %s have a target in common: %s', (one, other, expected) => {
    expect([overlap(one, other), overlap(other, one)]).toEqual([expected, expected]);
  });
});
