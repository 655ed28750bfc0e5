import { describe, expect, it } from 'vitest';
import { foldRecoveryCode, newRecoveryCodes } from './recovery-codes.js';

describe('recovery codes', () => {
  it('are ten, all different, of 80 random bits each', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
  });

  it.each(['7K2M-QX4T-9RWA-3HB1', '7k2mqx4t9rwa3hb1', ' 7K2M QX4T 9RWA 3HBl ', '7K2M-QX4T-9RWA-3HBI'])(
    'are read as people type them: %j',
    (typed) => {
      expect(foldRecoveryCode(typed)).toBe('7K2MQX4T9RWA3HB1');
    },
  );
});
