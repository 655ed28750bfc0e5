import { describe, expect, it } from 'vitest';
import { isTotpCode, newTotpSecret, stepOfCode, totpUrl } from './totp.js';

/** The secret of RFC 6238, appendix B: `12345678901234567890`. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const at = (seconds: number): Date => new Date(seconds * 1000);

describe('a code of an authenticator app', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at second %d is that of RFC 6238', async (second, code) => {
    expect(await stepOfCode(SECRET, code, at(second))).toBe(Math.floor(second / 30));
  });

  it.each([
    [-31, null],
    [-30, 37_037_037],
    [0, 37_037_037],
    [29, 37_037_037],
    [59, 37_037_037],
    [60, null],
  ])('is accepted %d seconds after its step began: %s', async (after, step) => {
    expect(await stepOfCode(SECRET, '050471', at(37_037_037 * 30 + after))).toBe(step);
  });

  it('has six digits, with spaces or without', () => {
    expect(['050471', '050 471', ' 050471 '].map(isTotpCode)).toEqual([true, true, true]);
    expect(['05047', '0504711', 'a50471', ''].map(isTotpCode)).toEqual([false, false, false, false]);
  });

  it('comes from a secret of 160 bits, which the app reads from a URL', async () => {
    const secret = await newTotpSecret();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const url = new URL(await totpUrl(secret, 'ann@author.example'));
    expect([url.protocol, url.host, decodeURIComponent(url.pathname)]).toEqual([
      'otpauth:',
      'totp',
      '/Pierhead:ann@author.example',
    ]);
    expect(url.searchParams.get('secret')).toBe(secret);
    expect(url.searchParams.get('issuer')).toBe('Pierhead');
  });
});
