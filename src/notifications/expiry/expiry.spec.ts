import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  CREDENTIAL_WARNINGS,
  HORIZON_MS,
  TOKEN_WARNINGS,
  credentialWarning,
  tokenWarning,
  warningDue,
} from './expiry.js';

const DAY = 86_400_000;
const NOW = new Date('2030-01-01T12:00:00Z');
const ahead = (days: number): Date => new Date(NOW.getTime() + days * DAY);

describe('a credential that expires', () => {
  it.each([
    [30, null],
    [14.01, null],
    [14, 14],
    [7.01, 14],
    [7, 7],
    [1.01, 7],
    [1, 1],
    [0.01, 1],
    [0, null],
    [-1, null],
  ])('in %d days has the warning %s', (days, threshold) => {
    expect(warningDue(CREDENTIAL_WARNINGS, ahead(days), NOW)).toBe(threshold);
  });

  it('has at most three warnings as time passes, and none further ahead', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5 * DAY, max: 40 * DAY }), { maxLength: 60 }), (moments) => {
        const due = moments
          .toSorted((a, b) => b - a)
          .map((left) => warningDue(CREDENTIAL_WARNINGS, ahead(left / DAY), NOW));
        const warnings = due.filter((each) => each !== null);
        expect(warnings).toEqual(warnings.toSorted((a, b) => b - a));
        expect(new Set(warnings).size).toBeLessThanOrEqual(3);
      }),
    );
    expect(warningDue(CREDENTIAL_WARNINGS, new Date(NOW.getTime() + HORIZON_MS), NOW)).toBe(14);
    expect(warningDue(CREDENTIAL_WARNINGS, new Date(NOW.getTime() + HORIZON_MS + 1), NOW)).toBeNull();
  });

  it('is named in the warning, with the day', () => {
    expect(credentialWarning('Edge Add-ons', '“main”', ahead(6.5), NOW)).toBe(
      'Edge Add-ons: the credential “main” expires in 7 days, on 2030-01-08. Rotate it before that, or publishing stops.',
    );
    expect(credentialWarning('Edge Add-ons', '“main”', ahead(0.2), NOW)).toContain(
      'expires within a day, on 2030-01-01',
    );
  });
});

describe('an access token that expires', () => {
  it.each([
    [14.01, null],
    [14, 14],
    [3.01, 14],
    [3, 3],
    [0.01, 3],
    [0, null],
  ])('in %d days has the warning %s', (days, threshold) => {
    expect(warningDue(TOKEN_WARNINGS, ahead(days), NOW)).toBe(threshold);
  });

  it('is named in the warning, with the day', () => {
    expect(tokenWarning('CI', 'aRZU', ahead(2.5), NOW)).toBe(
      'The access token “CI” (…aRZU) expires in 3 days, on 2030-01-04. Replace it before that.',
    );
  });
});
