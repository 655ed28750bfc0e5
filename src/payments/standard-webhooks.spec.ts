import { expect, it } from 'vitest';
import fc from 'fast-check';
import { STANDARD_SECRET, standardKeyOf } from './standard-webhooks.js';

it.each<[string, boolean]>([
  ['whsec_eja+//77QqAtjRjEF650OUfJz+k6LXzR', true],
  ['eja+//77QqAtjRjEF650OUfJz+k6LXzR', true],
  ['whsec_AAAAAAAAAAAAAAAAAAAAAA==', true],
  ['whsec_AAAAAAAAAAAAAAAAAAAAAA', true],
  // Of 15 bytes, and with a bit too many.
  ['whsec_AAAAAAAAAAAAAAAAAAAA', false],
  ['whsec_AAAAAAAAAAAAAAAAAAAAAB', false],
  ['whsec_AAAAAAAAAAAAAAAAAAAAAAA-', false],
  ['whsec_', false],
])('%s is a secret of Standard Webhooks: %s', (secret, isOne) => {
  expect(STANDARD_SECRET.test(secret)).toBe(isOne);
  expect(standardKeyOf(secret).length === 1).toBe(isOne);
});

it('a secret is accepted exactly when a key can be made of it', () => {
  const symbols = fc.constantFrom(...'AQgwB4+/z');
  const secret = fc
    .tuple(fc.constantFrom('', 'whsec_'), fc.string({ unit: symbols, minLength: 18, maxLength: 40 }), fc.nat(3))
    .map(([prefix, text, padding]) => `${prefix}${text}${'='.repeat(padding)}`);
  fc.assert(
    fc.property(secret, (one) => {
      expect(STANDARD_SECRET.test(one)).toBe(standardKeyOf(one).length === 1);
    }),
    { numRuns: 2000 },
  );
});
