import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { InvalidManifest } from './archive-errors.js';
import { decodeText, parseJson } from './json-text.js';

const parse = (text: string): unknown => parseJson(text, 'manifest.json');

describe('the JSON of an extension', () => {
  it.each([
    ['{ "a": 1 } // end', { a: 1 }],
    ['// start\n{ /* inside */ "a": /**/ 1 }', { a: 1 }],
    ['{ "a": "not // a /* comment */" }', { a: 'not // a /* comment */' }],
    ['[\r\n1,// one\r\n2]', [1, 2]],
    ['{ "a": 1, "a": 2 }', { a: 2 }],
  ])('may hold comments: %j', (text, value) => {
    expect(parse(text)).toEqual(value);
  });

  it.each([
    ['{ "a": 1, }', 'a quoted name is missing (no comma may follow the last member) at line 1, column 11.'],
    ['[1,\n2,]', 'a value is missing (no comma may follow the last item) at line 2, column 3.'],
    ['{ "a": 1 "b": 2 }', 'a comma is missing at line 1, column 10.'],
    ['{ "a" 1 }', 'a colon is missing at line 1, column 7.'],
    ["{ 'a': 1 }", 'at line 1, column 3.'],
    ['{ a: 1 }', 'at line 1, column 3.'],
    ['{} /* open', 'a comment is not closed at line 1, column 4.'],
    ['{ "a": "b', 'a string is not closed at line 1, column 8.'],
    ['{}{}', 'something follows the end of the document at line 1, column 3.'],
    ['{ "a": NaN }', 'at line 1, column 8.'],
    ['{ "a": 01 }', 'at line 1, column 9.'],
    ['{ "a": "\\x41" }', 'an escape sequence is unknown at line 1, column 8.'],
    ['{ "a": "\u0001" }', 'a string contains a control character at line 1, column 8.'],
    ['', 'a value is missing'],
  ])('is otherwise strict, and says where it is not: %j', (text, words) => {
    expect(() => parse(text)).toThrow(InvalidManifest);
    expect(() => parse(text)).toThrow(words);
  });

  it('may not nest without end', () => {
    expect(parse('['.repeat(200) + ']'.repeat(200))).toHaveLength(1);
    expect(() => parse('['.repeat(1_000_000))).toThrow('manifest.json nests deeper than 200 levels.');
    expect(() => parse('{"a":'.repeat(200_000))).toThrow('manifest.json nests deeper than 200 levels.');
  });

  it('reads what JSON itself reads, and nothing that JSON refuses once there are no comments', () => {
    const texts = fc.oneof(
      fc.json(),
      fc.string(),
      fc
        .array(fc.constantFrom(...'{}[]",:01-.eE+ntu\\ \n\t', 'true', 'null', '"a"', '\f', '\u00a0', '\u2028'))
        .map((all) => all.join('')),
    );
    fc.assert(
      fc.property(
        texts.filter((text) => !text.includes('/')),
        (text) => {
          let expected: unknown = InvalidManifest;
          try {
            expected = JSON.parse(text);
          } catch {
            expect(() => parse(text)).toThrow(InvalidManifest);
            return;
          }
          expect(parse(text)).toEqual(expected);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('its bytes', () => {
  it('are UTF-8, with or without a mark', () => {
    expect(decodeText(Buffer.from('\uFEFFü'), 'f')).toBe('ü');
    expect(decodeText(Buffer.from('ü'), 'f')).toBe('ü');
    expect(decodeText(Buffer.alloc(0), 'f')).toBe('');
  });

  it('are never misread', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        try {
          const text = decodeText(bytes, 'f');
          expect(Buffer.from(text).equals(Buffer.from(bytes)) || Buffer.from(`\uFEFF${text}`).equals(bytes)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidManifest);
        }
      }),
    );
  });
});
