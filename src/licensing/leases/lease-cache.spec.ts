import { describe, expect, it } from '@jest/globals';
import { LeaseCache } from './lease-cache.js';

describe('a cache of signed leases', () => {
  it('gives a lease again until a tenth of its life has gone', () => {
    const cache = new LeaseCache();
    cache.keep('a', { iat: 1000, exp: 2000 }, 'lease');
    expect([999, 1000, 1099, 1100, 5000].map((now) => cache.recall('a', now)?.signature ?? null)).toEqual([
      null,
      'lease',
      'lease',
      null,
      null,
    ]);
    expect(cache.recall('b', 1000)).toBeNull();
  });

  it('never gives one that is good for no time', () => {
    const cache = new LeaseCache();
    cache.keep('a', { iat: 1000, exp: 1000 }, 'lease');
    expect(cache.recall('a', 1000)).toBeNull();
  });

  it('keeps the newest of a key, and forgets the oldest of too many', () => {
    const cache = new LeaseCache();
    cache.keep('a', { iat: 0, exp: 1000 }, 'old');
    cache.keep('b', { iat: 0, exp: 1000 }, 'other');
    cache.keep('a', { iat: 10, exp: 1000 }, 'new');
    expect(cache.recall('a', 20)).toMatchObject({ iat: 10, signature: 'new' });
    for (let made = 0; made < 99_999; made += 1) cache.keep(`more ${made}`, { iat: 0, exp: 1000 }, 'one');
    expect([cache.recall('b', 20), cache.recall('a', 20)]).toEqual([
      null,
      expect.objectContaining({ signature: 'new' }),
    ]);
  });
});
