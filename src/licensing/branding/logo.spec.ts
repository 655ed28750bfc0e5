import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { JPEG, pngOf } from '../../../test/licensing/buyer/logos.js';
import { MAX_LOGO_BYTES, readLogo } from './logo.js';

const NO_PICTURE = 'must be a complete PNG or JPEG picture with nothing after it.';
const text = (words: string): Buffer => Buffer.from(words);

describe('a logo', () => {
  it.each([
    ['PNG', pngOf(120, 40), { type: 'image/png', width: 120, height: 40 }],
    ['JPEG', JPEG, { type: 'image/jpeg', width: 1, height: 1 }],
  ])('is recognized as %s by its bytes', (_, bytes, logo) => expect(readLogo(bytes)).toEqual(logo));

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['SVG', text('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['GIF', text('GIF89a\u0001\0\u0001\0')],
    ['WebP', Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64')],
    ['a page', text('<!doctype html><script>alert(1)</script>')],
    ['a PNG with a page behind it', Buffer.concat([pngOf(4, 4), text('<script>alert(1)</script>')])],
    ['a page with a PNG behind it', Buffer.concat([text('<script>'), pngOf(4, 4)])],
    ['a JPEG with a zip behind it', Buffer.concat([JPEG, text('PK\u0005\u0006')])],
    ['a JPEG without a picture', Buffer.from([0xff, 0xd8, 0xff, 0xd9])],
  ])('is not %s', (_, bytes) => expect(readLogo(bytes)).toBe(NO_PICTURE));

  it.each([
    ['PNG', pngOf(30, 30)],
    ['JPEG', JPEG],
  ])('is no part of a %s, wherever it is cut off', (_, bytes) => {
    for (let end = 0; end < bytes.length; end += 1) expect(readLogo(bytes.subarray(0, end))).toBe(NO_PICTURE);
  });

  it('has limits in bytes and in pixels', () => {
    const filled = (size: number): Buffer => pngOf(1, 1, [['teXt', Buffer.alloc(size - pngOf(1, 1).length - 12)]]);
    expect(readLogo(filled(MAX_LOGO_BYTES))).toMatchObject({ type: 'image/png' });
    expect(readLogo(filled(MAX_LOGO_BYTES + 1))).toBe('must be at most 64 kB.');
    expect(readLogo(pngOf(1024, 1))).toMatchObject({ width: 1024 });
    expect(readLogo(pngOf(1025, 2))).toBe('must be at most 1024 pixels wide and high; this one has 1025 × 2.');
    expect(readLogo(pngOf(0, 5))).toContain('0 × 5');
  });

  it('is read whatever the bytes are', () => {
    const starts = [pngOf(2, 2), JPEG, Buffer.alloc(0)];
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.nat(80), fc.uint8Array({ maxLength: 60 }), (start, kept, more) => {
        const read = readLogo(Buffer.concat([start.subarray(0, kept), more]));
        expect(typeof read === 'string' || read.width >= 1).toBe(true);
      }),
    );
  });
});
