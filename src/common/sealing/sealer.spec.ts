import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { completeConfig, readEnvironment, type IdentifiedKey } from '../config/index.js';
import { CannotUnseal, Sealer } from './sealer.js';

const key = (id: string, byte: number): IdentifiedKey => ({ id, key: new Uint8Array(32).fill(byte) });
const OLD = key('old', 1);
const NEW = key('new', 2);
const sealerWith = (...encryptionKeys: readonly IdentifiedKey[]): Sealer =>
  new Sealer(completeConfig(readEnvironment({}), { encryptionKeys, tokenSecret: 'x'.repeat(32), codePeppers: [] }));

const refusal = async (asked: Promise<unknown>): Promise<Error> => {
  const error = await asked.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CannotUnseal);
  return error as Error;
};

describe('an encrypted secret', () => {
  it('decrypts to the same JSON', async () => {
    const sealer = sealerWith(NEW);
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.string(), async (value, purpose) => {
        const plain = JSON.parse(JSON.stringify(value)) as unknown;
        expect(await sealer.unseal(await sealer.seal(plain, purpose), purpose)).toEqual(plain);
      }),
      { numRuns: 50 },
    );
  });

  it('is AES-256-GCM under the current key, different each time, and reveals nothing', async () => {
    const sealer = sealerWith(NEW, OLD);
    const texts = await Promise.all([sealer.seal('marked', 'row:1'), sealer.seal('marked', 'row:1')]);
    const [header] = texts.map((text) => JSON.parse(Buffer.from(text.split('.')[0] ?? '', 'base64url').toString()));
    expect(header).toEqual({ alg: 'dir', enc: 'A256GCM', kid: 'new' });
    expect(texts[0]).not.toBe(texts[1]);
    expect(Buffer.from(texts.join('.'), 'base64url').toString('latin1')).not.toContain('marked');
  });

  it('decrypts under an older configured key, and is outdated then', async () => {
    const sealed = await sealerWith(OLD).seal('secret', 'row:1');
    const both = sealerWith(NEW, OLD);
    expect(both.isOutdated(sealed)).toBe(true);
    expect(await both.unseal(sealed, 'row:1')).toBe('secret');
    expect(both.isOutdated(await both.seal('secret', 'row:1'))).toBe(false);
    expect((await refusal(sealerWith(NEW).unseal(sealed, 'row:1'))).message).toContain('no key old');
  });

  it('does not decrypt for another purpose', async () => {
    const sealer = sealerWith(NEW);
    const { message } = await refusal(sealer.unseal(await sealer.seal('marked', 'row:1'), 'row:2'));
    expect(message).toContain('is sealed for row:1, not for row:2');
    expect(message).not.toContain('marked');
  });

  it('does not decrypt under another key with the same id', async () => {
    const sealed = await sealerWith(key('k', 1)).seal('secret', 'row:1');
    await refusal(sealerWith(key('k', 2)).unseal(sealed, 'row:1'));
  });

  it('does not decrypt after a single character has changed', async () => {
    const sealer = sealerWith(NEW);
    const sealed = await sealer.seal('secret', 'row:1');
    await fc.assert(
      fc.asyncProperty(fc.nat(sealed.length - 1), fc.constantFrom('A', 'b', '7', '_', '.'), async (at, other) => {
        const altered = sealed.slice(0, at) + other + sealed.slice(at + 1);
        // The last character of each part carries bits that base64 does not use.
        const same = altered.split('.').map((part) => Buffer.from(part, 'base64url').toString('hex'));
        fc.pre(
          same.join() !==
            sealed
              .split('.')
              .map((part) => Buffer.from(part, 'base64url').toString('hex'))
              .join(),
        );
        await refusal(sealer.unseal(altered, 'row:1'));
      }),
      { numRuns: 200 },
    );
  });

  it.each(['', 'garbage', 'a.b.c.d.e', 'eyJhbGciOiJub25lIn0....', 'null'])('is not %j', async (text) => {
    await refusal(sealerWith(NEW).unseal(text, 'row:1'));
  });

  it('is not a JWE of another algorithm that a thief of the database made up', async () => {
    const sealed = await sealerWith(NEW).seal('secret', 'row:1');
    for (const header of [
      { alg: 'none', kid: 'new' },
      { alg: 'PBES2-HS256+A128KW', enc: 'A256GCM', p2c: 1, p2s: 'x', kid: 'new' },
      { alg: 'dir', enc: 'A128CBC-HS256', kid: 'new' },
    ]) {
      const forged = [Buffer.from(JSON.stringify(header)).toString('base64url'), ...sealed.split('.').slice(1)];
      await refusal(sealerWith(NEW).unseal(forged.join('.'), 'row:1'));
    }
  });
});
