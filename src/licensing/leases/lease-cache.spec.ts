import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { LeaseCache } from './lease-cache.js';
import { leaseClaims, type LeaseFacts } from './lease.js';

const textAt = (iat: number): string => `issued at ${iat}`;
const get = (cache: LeaseCache, device: string, now: number): string | null => cache.get(device, now, textAt);
const set = (cache: LeaseCache, device: string, times: { iat: number; exp: number }, signature: string): void =>
  cache.set(device, times, textAt(times.iat), signature);

describe('a cache of signed leases', () => {
  it('returns a lease until a tenth of its life has passed', () => {
    const cache = new LeaseCache();
    set(cache, 'a', { iat: 1000, exp: 2000 }, 'signature');
    expect([999, 1000, 1099, 1100, 5000].map((now) => get(cache, 'a', now))).toEqual([
      null,
      'issued at 1000.signature',
      'issued at 1000.signature',
      null,
      null,
    ]);
    expect(get(cache, 'b', 1000)).toBeNull();
  });

  it('never returns a lease that has expired when it is issued', () => {
    const cache = new LeaseCache();
    set(cache, 'a', { iat: 1000, exp: 1000 }, 'signature');
    expect(get(cache, 'a', 1000)).toBeNull();
  });

  it('keeps the newest lease of a device and drops the oldest entry when it is full', () => {
    const cache = new LeaseCache();
    set(cache, 'a', { iat: 0, exp: 1000 }, 'old');
    set(cache, 'b', { iat: 0, exp: 1000 }, 'other');
    set(cache, 'a', { iat: 10, exp: 1000 }, 'new');
    expect(get(cache, 'a', 20)).toBe('issued at 10.new');
    for (let made = 0; made < 99_999; made += 1) set(cache, `more ${made}`, { iat: 0, exp: 1000 }, 'one');
    expect([get(cache, 'b', 20), get(cache, 'a', 20)]).toEqual([null, 'issued at 10.new']);
  });

  it('never joins a signature to claims that it does not sign', () => {
    const facts: fc.Arbitrary<LeaseFacts> = fc.record({
      issuer: fc.constantFrom('https://one.example', 'https://two.example'),
      extensionId: fc.constantFrom('one', 'two'),
      licenseId: fc.option(fc.constantFrom('one', 'two')),
      fingerprintHash: fc.constantFrom('one', 'two'),
      isActive: fc.boolean(),
      reason: fc.constantFrom('active', 'expired'),
      tier: fc.option(fc.constantFrom('one', 'two')),
      entitlements: fc.constantFrom([], ['one'], ['one', 'two']),
      expiresAt: fc.option(fc.constantFrom(new Date(86_400_000), new Date(86_400_000 * 2), new Date(86_400_000 * 9))),
      updatesUntil: fc.option(fc.constantFrom(new Date(0), new Date(86_400_000))),
      offlineGraceDays: fc.constantFrom(1, 7),
      nonce: fc.constant(null),
    });
    fc.assert(
      fc.property(facts, facts, fc.nat(2000), (signed, asked, now) => {
        const write =
          (what: LeaseFacts) =>
          (iat: number): string =>
            JSON.stringify(leaseClaims(what, iat));
        const cache = new LeaseCache();
        cache.set('a device', leaseClaims(signed, 0), write(signed)(0), 'signature');
        const recalled = cache.get('a device', now, write(asked));
        if (recalled !== null) expect(recalled).toBe(`${write(signed)(0)}.signature`);
      }),
    );
  });
});
