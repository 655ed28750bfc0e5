import { describe, expect, it } from 'vitest';
import { InvalidArchive } from '../archive-errors.js';
import { dictionaryIn, parsePlist, textIn } from './plist.js';

const xml = (body: string): Buffer =>
  Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n<plist version="1.0">${body}</plist>`,
  );

/** A binary property list of these objects, which begin with their markers; the first is at the top. */
function binary(...objects: readonly (readonly number[])[]): Buffer {
  const offsets: number[] = [];
  const bytes = [...Buffer.from('bplist00')];
  for (const object of objects) {
    offsets.push(bytes.length);
    bytes.push(...object);
  }
  const trailer = Buffer.alloc(32);
  trailer[6] = 1;
  trailer[7] = 1;
  trailer.writeBigUInt64BE(BigInt(objects.length), 8);
  trailer.writeBigUInt64BE(BigInt(bytes.length), 24);
  return Buffer.concat([Buffer.from([...bytes, ...offsets]), trailer]);
}

describe('a property list', () => {
  it('has texts and dictionaries', () => {
    const list = parsePlist(
      xml(
        '<dict><key>a</key><string>x &amp; y</string><key>n</key><integer>1</integer><key>d</key><dict><key>b</key><string>z</string></dict></dict>',
      ),
      'list',
    );
    expect(textIn(list, 'a')).toBe('x & y');
    expect(textIn(list, 'n')).toBeNull();
    expect(textIn(list, 'toString')).toBeNull();
    expect(textIn(dictionaryIn(list, 'd'), 'b')).toBe('z');
    expect(dictionaryIn(list, 'a')).toEqual({});
  });

  it('has them in the binary form, in both encodings', () => {
    const list = binary([0xd1, 1, 2], [0x51, 0x61], [0x62, 0x00, 0xe9, 0x20, 0xac]);
    expect(parsePlist(list, 'list')).toEqual({ a: 'é€' });
  });

  it.each([
    ['not one', Buffer.from('{}'), /The list cannot be read/],
    ['another document', Buffer.from('<html/>'), /is not a property list/],
    ['no dictionary', xml('<string>a</string>'), /is not a dictionary/],
    [
      'entities that grow',
      Buffer.from('<!DOCTYPE p [<!ENTITY a "aaa">]><plist><dict><key>&a;</key></dict></plist>'),
      /cannot be read/,
    ],
    ['too deep', xml('<dict><key>k</key>'.repeat(80)), /too many elements/],
    ['only the start of a binary one', Buffer.from('bplist00'), /damaged/],
    ['a dictionary in itself', binary([0xd1, 1, 0], [0x51, 0x61]), /damaged/],
    // Ten dictionaries, each of which has the next twice under the same key, are 1,024 values.
    [
      'one that unfolds',
      binary(...Array.from({ length: 15 }, (_, at) => [0xd2, 15, 15, at + 1, at + 1]), [0x51, 0x61]),
      /damaged/,
    ],
    ['an object outside of the file', binary([0xd1, 1, 200], [0x51, 0x61]), /damaged/],
    ['a text outside of the file', binary([0xd1, 1, 1], [0x5f, 0x11, 0xff, 0xff]), /damaged/],
  ])('is refused: %s', (_, bytes, words) => {
    expect(() => parsePlist(bytes, 'list')).toThrow(InvalidArchive);
    expect(() => parsePlist(bytes, 'list')).toThrow(words);
  });
});
