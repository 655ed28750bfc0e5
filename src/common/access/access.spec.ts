import { describe, expect, it } from '@jest/globals';
import { allows, type Scope } from './access.js';

describe('a scope', () => {
  it.each<[readonly Scope[], Exclude<Scope, '*'>, boolean]>([
    [['extensions:read'], 'extensions:read', true],
    [['extensions:write'], 'extensions:read', true],
    [['extensions:read'], 'extensions:write', false],
    [['licenses:write'], 'extensions:read', false],
    [['artifacts:write'], 'extensions:read', false],
    [['licenses:read', 'extensions:write'], 'licenses:write', false],
    [['*'], 'artifacts:write', true],
    [[], 'analytics:read', false],
  ])('of %j allows %s: %s', (held, needed, allowed) => {
    expect(allows(held, needed)).toBe(allowed);
  });
});
