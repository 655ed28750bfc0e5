import { expect, it } from 'vitest';
import { healthOf } from './credential-health.js';

const day = (number: number): Date => new Date(Date.UTC(2027, 0, 1 + number));
const [VERIFIED, NOW] = [day(0), day(100)];

it.each<[string, Date | null, Date | null, string, Date]>([
  ['that was accepted', null, null, 'ok', VERIFIED],
  ['that expires in 14 days', null, day(114), 'ok', VERIFIED],
  ['that expires in 13 days', null, day(113), 'expires_soon', day(113)],
  ['that expires now', null, NOW, 'expired', NOW],
  ['that expired', null, day(90), 'expired', day(90)],
  ['that was refused since', day(99), null, 'refused', day(99)],
  ['that was refused, whenever it expires', day(99), day(90), 'refused', day(99)],
])('a credential %s', (_, refusedAt, expiresAt, state, at) => {
  expect(healthOf({ refusedAt, expiresAt, verifiedAt: VERIFIED, accountProven: true }, NOW)).toEqual({ state, at });
  expect(healthOf({ refusedAt, expiresAt, verifiedAt: VERIFIED, accountProven: false }, NOW)).toEqual({
    state: state === 'ok' ? 'unproven' : state,
    at,
  });
});
