import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { hideClaimToken } from './hide-claim-token.js';

const TOKEN = 'a-random-token-of-the-shop';
const digest = createHash('sha256').update(TOKEN).digest('base64url');

describe('the stored payload of a notification', () => {
  it('has the digest in place of each claim token, and is otherwise unchanged', () => {
    const said = {
      id: 7,
      meta: { custom_data: { claimToken: TOKEN, planId: 'p' } },
      list: [{ claimToken: TOKEN }, null],
    };
    expect(hideClaimToken(said)).toEqual({
      id: 7,
      meta: { custom_data: { claimToken: digest, planId: 'p' } },
      list: [{ claimToken: digest }, null],
    });
  });

  it.each([['', 'x'.repeat(19), 'x'.repeat(201), 7, null, {}, [TOKEN]]].flat().map((token) => [token]))(
    'omits %j, which is no token',
    (claimToken) => {
      expect(hideClaimToken({ claimToken })).toEqual({ claimToken: null });
    },
  );

  it('never contains the token, and is otherwise the same JSON', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.string({ minLength: 30, maxLength: 40, unit: 'grapheme-ascii' }),
        (value, token) => {
          expect(hideClaimToken({ value })).toEqual({ value });
          const marked = `\u0001${token}`;
          const kept = JSON.stringify(hideClaimToken({ value, deep: [{ claimToken: marked }] }));
          expect(kept.includes(JSON.stringify(marked).slice(1, -1))).toBe(false);
        },
      ),
    );
  });
});
