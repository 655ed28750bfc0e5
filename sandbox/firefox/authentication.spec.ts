import { describe, expect, it } from 'vitest';
import { SignJWT } from 'jose';
import { Accounts } from './accounts.js';
import { authenticate } from './authentication.js';

const NOW = 1_800_000_000;

/** Presents a token at `NOW` whose times are so many seconds from it. */
async function present({ iat, exp }: { readonly iat: number; readonly exp: number }): Promise<string> {
  const accounts = new Accounts();
  const { issuer, secret } = accounts.create({ name: 'Owl' });
  const token = await new SignJWT({ iss: issuer, iat: NOW + iat, exp: NOW + exp })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secret));
  const { name } = await authenticate({ headers: { authorization: `JWT ${token}` } }, accounts, new Date(NOW * 1000));
  return name;
}

describe('the times of a token', () => {
  it.each([
    { iat: -294, exp: -4 },
    { iat: 5, exp: 305 },
  ])('may come from a clock that is wrong by up to five seconds: %o', async (times) => {
    await expect(present(times)).resolves.toBe('Owl');
  });

  it.each([
    [/^Signature has expired\.$/, { iat: -294, exp: -5 }],
    [/^JWT iat \(issued at time\) is invalid\./, { iat: 6, exp: 60 }],
    [/^JWT exp \(expiration\) is too long\.$/, { iat: 0, exp: 301 }],
  ] as const)('are refused beyond that: %s', async (detail, times) => {
    await expect(present(times)).rejects.toMatchObject({
      answer: { status: 401 },
      message: expect.stringMatching(detail),
    });
  });
});
