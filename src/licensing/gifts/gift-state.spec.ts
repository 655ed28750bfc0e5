import { expect, it } from 'vitest';
import fc from 'fast-check';
import type { LicenseState } from '../licenses/pure.js';
import { type GiftFacts, giftState, SHOWN_AGAIN_MS } from './gift-state.js';

const NOW = new Date('2027-01-31T12:00:00Z');
const at = (ms: number): Date => new Date(NOW.getTime() + ms);
const NEW: GiftFacts = { expiresAt: null, redeemedAt: null, browserDigest: null };
const USED: GiftFacts = { ...NEW, redeemedAt: at(-1), browserDigest: 'mine' };
const GOOD: LicenseState = {
  revokedAt: null,
  suspendedFor: [],
  expiresAt: null,
  graceDays: 0,
  onEnd: 'expire',
  renewalLeewayHours: null,
};

it.each<[Partial<GiftFacts>, Partial<LicenseState>, string | null, string]>([
  [NEW, {}, null, 'open'],
  [NEW, { expiresAt: at(1) }, 'mine', 'open'],
  [{ ...NEW, expiresAt: at(1) }, {}, 'mine', 'open'],
  [{ ...NEW, expiresAt: NOW }, {}, 'mine', 'ended'],
  [NEW, { expiresAt: NOW }, 'mine', 'ended'],
  [NEW, { suspendedFor: ['tenant'] }, 'mine', 'suspended'],
  [NEW, { revokedAt: NOW }, 'mine', 'revoked'],
  [USED, {}, 'mine', 'again'],
  [{ ...USED, expiresAt: NOW }, {}, 'mine', 'again'],
  [USED, { suspendedFor: ['tenant'] }, 'mine', 'again'],
  [USED, {}, 'another', 'used'],
  [USED, {}, null, 'used'],
  [{ ...USED, redeemedAt: at(-SHOWN_AGAIN_MS) }, {}, 'mine', 'used'],
  [USED, { revokedAt: NOW }, 'mine', 'revoked'],
  [{ ...USED, browserDigest: null }, {}, null, 'used'],
])('a link that is %j with a license that is %j is for the browser %s: %s', (gift, license, browser, state) => {
  expect(giftState({ ...NEW, ...gift }, { ...GOOD, ...license }, browser, NOW)).toBe(state);
});

it('gives nothing once it has given, but the same code to the same browser for a while', () => {
  const time = fc.integer({ min: -2 * SHOWN_AGAIN_MS, max: 0 }).map(at);
  fc.assert(
    fc.property(time, fc.option(fc.constantFrom('mine', 'another')), (redeemedAt, browser) => {
      const state = giftState({ ...USED, redeemedAt }, GOOD, browser, NOW);
      const isShown = browser === 'mine' && redeemedAt.getTime() > at(-SHOWN_AGAIN_MS).getTime();
      expect(state).toBe(isShown ? 'again' : 'used');
    }),
  );
});
