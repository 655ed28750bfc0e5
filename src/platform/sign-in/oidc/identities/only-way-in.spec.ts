import { describe, expect, it } from 'vitest';
import { isOnlyWayIn } from './only-way-in.js';

const NOW = 'https://login.example';
const BEFORE = 'https://old.example';
const now = { id: 'now', issuer: NOW };
const before = { id: 'before', issuer: BEFORE };

describe('a linked identity', () => {
  it.each([
    ['of the provider, beside a password', now, [now], true, NOW, false],
    ['of the provider, without a password', now, [now], false, NOW, true],
    ['of the provider, beside one of a former provider', now, [now, before], false, NOW, true],
    ['of a former provider, beside one of the provider', before, [now, before], false, NOW, false],
    ['of a former provider, without a password', before, [before], false, NOW, true],
    ['where no provider is set, beside a password', before, [before], true, undefined, false],
    ['where no provider is set, without a password', before, [before], false, undefined, true],
  ])('%s is the only way in or not', (_, { id }, identities, hasPassword, oidcIssuer, isOnly) => {
    expect(isOnlyWayIn(id, identities, { hasPassword, oidcIssuer })).toBe(isOnly);
  });
});
