import { describe, expect, it } from 'vitest';
import { pngOf } from '../../../test/support/pictures.js';
import { pictureIn } from './picture.js';

/** Bytes as text and numbers, filled up to the length of a header. */
const bytes = (...parts: readonly (string | readonly number[])[]): Buffer =>
  Buffer.concat([
    ...parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
    Buffer.alloc(30),
  ]);
const zeros = (count: number): readonly number[] => Array.from({ length: count }, () => 0);

describe('a picture', () => {
  it.each<[string, Buffer, string, readonly [number, number] | null]>([
    ['PNG', pngOf(48, 32), 'png', [48, 32]],
    ['GIF', bytes('GIF89a', [48, 0, 32, 0]), 'gif', [48, 32]],
    ['BMP', bytes('BM', zeros(16), [48, 0, 0, 0, 32, 0, 0, 0]), 'bmp', [48, 32]],
    ['BMP from the top', bytes('BM', zeros(16), [48, 0, 0, 0, 0xe0, 0xff, 0xff, 0xff]), 'bmp', [48, 32]],
    ['ICO of two images', bytes([0, 0, 1, 0, 2, 0, 16, 16], zeros(14), [0, 0]), 'ico', [256, 256]],
    ['WebP', bytes('RIFF', zeros(4), 'WEBPVP8 ', zeros(10), [48, 0, 32, 0]), 'webp', [48, 32]],
    ['WebP without loss', bytes('RIFF', zeros(4), 'WEBPVP8L', zeros(4), [0x2f, 47, 0xc0, 7]), 'webp', [48, 32]],
    ['WebP with more', bytes('RIFF', zeros(4), 'WEBPVP8X', zeros(8), [47, 0, 0, 31, 0, 0]), 'webp', [48, 32]],
    [
      'JPEG after other parts',
      bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xff, 0xc4, 0, 3, 0, 0xff, 0xc2, 0, 17, 8, 0, 32, 0, 48]),
      'jpeg',
      [48, 32],
    ],
    ['JPEG that says no size', bytes([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff]), 'jpeg', null],
    ['SVG', Buffer.from('<?xml version="1.0"?><!-- owl --><svg xmlns="http://www.w3.org/2000/svg"/>'), 'svg', null],
    ['text', Buffer.from('It is no picture, however long it is.'), 'other', null],
    ['GIF of a few bytes', Buffer.from('GIF89a\x10\0\x10\0\0\0\0;', 'latin1'), 'gif', [16, 16]],
    ['the start of a PNG', pngOf(16).subarray(0, 20), 'other', null],
    ['nothing', Buffer.alloc(0), 'other', null],
  ])('%s', (_format, content, kind, size) => {
    const expected = size === null ? null : { width: size[0], height: size[1] };
    expect(pictureIn(content)).toEqual({ kind, size: expected });
  });
});
