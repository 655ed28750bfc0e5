import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createLicensing, type Licensing } from '../../clients/licensing/index.js';
import { CODE_RANDOM_BYTES, readForeignCode, writeCode } from '../../src/licensing/codes/code.js';

/** A client whose requests fail after they are recorded. */
function recording(): { readonly licensing: Licensing; readonly requests: { url: string; init: RequestInit }[] } {
  const requests: { url: string; init: RequestInit }[] = [];
  const licensing = createLicensing({
    url: 'https://pierhead.example',
    extensionId: 'an extension',
    keys: [{ kid: 'k1', x: '' }],
    storage: { get: () => Promise.resolve({}), set: () => Promise.resolve(), remove: () => Promise.resolve() },
    fetch: (url, init) => {
      requests.push({ url, init });
      return Promise.reject(new TypeError('fetch failed'));
    },
  });
  return { licensing, requests };
}

describe('the client', () => {
  it.each(['38b1460a-5104-4067-a91d-77b872934d51', '4F7Q K9X2-11LO_IU+/=.', 'A1B2C-3D4E5-F6G7H-8I9J0-KLMNO-PQ'])(
    'sends %s, which an import can have brought from another tool',
    async (code) => {
      const { licensing, requests } = recording();
      expect(readForeignCode(code)).not.toBeNull();
      await expect(licensing.activate(code)).rejects.toThrow('fetch failed');
      expect(requests.map(({ init }) => JSON.parse(init.body as string))).toMatchObject([{ code }]);
    },
  );

  it.each(['', 'A1B2C3D4E5F6G7H', 'A1B2C-3D4E5-F6G7H-8I9J0-KLMNO', 'x'.repeat(513), '4F7QK9X211LO\u00e9IU123'])(
    'does not send %j, which is no code',
    async (code) => {
      const { licensing, requests } = recording();
      expect(readForeignCode(code)).toBeNull();
      expect(await licensing.activate(code)).toMatchObject({ isActive: false, reason: 'invalid_code' });
      expect(requests).toEqual([]);
    },
  );

  it('gives every request a time limit, because other calls wait for it', async () => {
    const { licensing, requests } = recording();
    await licensing.activate(writeCode(randomBytes(CODE_RANDOM_BYTES))).catch(() => null);
    expect(await licensing.ping()).toBe(false);
    expect(requests.map(({ url }) => url.replace('https://pierhead.example/api/v1/', ''))).toEqual([
      'licensing/activate',
      'analytics/ping',
    ]);
    for (const { init } of requests) expect(init.signal).toBeInstanceOf(AbortSignal);
  });
});
