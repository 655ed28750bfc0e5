import { describe, expect, it } from 'vitest';
import { secondOf } from '../../common/system/index.js';
import { leaseClaims, type LeaseFacts } from './lease.js';

const IAT = secondOf(new Date('2027-01-31T12:00:00.999Z').getTime());
const DAY = 86_400;
const ACTIVE: LeaseFacts = {
  issuer: 'https://pierhead.example',
  extensionId: 'an extension',
  licenseId: 'a license',
  fingerprintHash: 'a hash',
  isActive: true,
  reason: 'active',
  tier: 'pro',
  entitlements: [],
  expiresAt: null,
  updatesUntil: null,
  offlineGraceDays: 7,
  nonce: 'a nonce',
};
const inSeconds = (seconds: number): Date => new Date((IAT + seconds) * 1000);

describe('a lease', () => {
  it('states device, license, answer and expiry, and repeats the nonce', () => {
    expect(leaseClaims(ACTIVE, IAT)).toEqual({
      iss: 'https://pierhead.example',
      sub: 'a license',
      ext: 'an extension',
      fph: 'a hash',
      act: true,
      rsn: 'active',
      tier: 'pro',
      iat: IAT,
      exp: IAT + 7 * DAY,
      nonce: 'a nonce',
    });
  });

  it('names the features that the device may use, if there are any', () => {
    expect(leaseClaims({ ...ACTIVE, entitlements: ['export', 'sync'] }, IAT).ent).toEqual(['export', 'sync']);
    expect(leaseClaims(ACTIVE, IAT)).not.toHaveProperty('ent');
  });

  it('has no license for an invalid code, and no nonce when none was sent', () => {
    const none = { licenseId: null, isActive: false, reason: 'invalid_code', tier: null, nonce: null } as const;
    const claims = leaseClaims({ ...ACTIVE, ...none }, IAT);
    expect(Object.keys(claims)).toEqual(['iss', 'ext', 'fph', 'act', 'rsn', 'tier', 'iat', 'exp']);
    expect(claims).toMatchObject({ act: false, rsn: 'invalid_code', tier: null });
  });

  it.each<[number, Partial<LeaseFacts>]>([
    [7 * DAY, { expiresAt: inSeconds(8 * DAY) }],
    [7 * DAY, { expiresAt: inSeconds(7 * DAY) }],
    [DAY, { expiresAt: inSeconds(DAY) }],
    [0, { offlineGraceDays: 0 }],
    [0, { offlineGraceDays: 0, expiresAt: inSeconds(DAY) }],
    [7 * DAY, { isActive: false, reason: 'expired', expiresAt: inSeconds(-DAY) }],
    [7 * DAY, { isActive: false, reason: 'seat_not_active', expiresAt: inSeconds(DAY) }],
  ])('is valid for %d s with %j', (seconds, facts) => {
    expect(leaseClaims({ ...ACTIVE, ...facts }, IAT).exp).toBe(IAT + seconds);
  });
});
