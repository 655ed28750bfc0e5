import { describe, expect, it } from 'vitest';
import { delayMs, waitSeconds } from './login-delays.js';

describe('guessing a password', () => {
  it('doubles the wait of an address each time, up to a minute', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 2000].map(waitSeconds)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('from many addresses delays answers longer each time, up to four seconds', () => {
    expect([-99, 0, 1, 2, 3, 4, 5, 6, 2000].map(delayMs)).toEqual([0, 0, 250, 500, 1000, 2000, 4000, 4000, 4000]);
  });
});
