import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { ANY_CHARACTER } from '../../../test/support/any-character.js';
import { PASTED, WRONGLY_PASTED } from '../../../test/support/pasted-codes.js';
import { CODE_RANDOM_BYTES, codeHint, readCode, readForeignCode, writeCode } from './code.js';

const random = fc.uint8Array({ minLength: CODE_RANDOM_BYTES, maxLength: CODE_RANDOM_BYTES });
const plain = (code: string): string => code.replaceAll('-', '');

describe('a license code', () => {
  it('is five groups of five unmistakable symbols', () => {
    fc.assert(
      fc.property(random, (bytes) => {
        expect(writeCode(bytes)).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){4}[0-9A-HJKMNP-TV-Z]{5}$/);
      }),
    );
  });

  it('ends with the first ten bits of the SHA-256 of its other symbols', () => {
    const symbols = plain(writeCode(Buffer.from('000102030405060708090a0b0c0d0e', 'hex')));
    expect(symbols.slice(0, 23)).toBe('000G40R40M30E209185GR38');
    const digest = createHash('sha256').update('000G40R40M30E209185GR38').digest();
    const bits = (digest.readUInt16BE(0) >> 6).toString(2).padStart(10, '0');
    const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
    expect(symbols.slice(23)).toBe(
      `${alphabet[Number.parseInt(bits.slice(0, 5), 2)]}${alphabet[Number.parseInt(bits.slice(5), 2)]}`,
    );
  });

  it('uses 115 random bits, each of which changes the code', () => {
    const zero = writeCode(new Uint8Array(CODE_RANDOM_BYTES));
    const codes = Array.from({ length: 115 }, (_, bit) => {
      const bytes = new Uint8Array(CODE_RANDOM_BYTES);
      bytes[bit >> 3] = 128 >> (bit & 7);
      return writeCode(bytes);
    });
    expect(new Set([zero, ...codes]).size).toBe(116);
    expect(() => writeCode(new Uint8Array(14))).toThrow('15 random bytes');
  });

  it('is read as people type it', () => {
    fc.assert(
      fc.property(
        random,
        fc.array(fc.nat(24), { maxLength: 8 }),
        fc.infiniteStream(fc.nat(3)),
        (bytes, breaks, choices) => {
          const symbols = plain(writeCode(bytes));
          const typed = Array.from(symbols, (symbol, index) => {
            const choice = choices.next().value ?? 0;
            const look =
              symbol === '0' ? ['0', 'O', 'o', '0'][choice] : symbol === '1' ? ['1', 'I', 'l', 'L'][choice] : undefined;
            const letter = look ?? (choice % 2 === 0 ? symbol : symbol.toLowerCase());
            return breaks.includes(index) ? `${[' ', '-', '\t', ' - '][choice]}${letter}` : letter;
          }).join('');
          expect(readCode(typed)).toBe(symbols);
        },
      ),
    );
  });

  it.each(PASTED)('is read %s', (_, paste) => {
    const code = writeCode(randomBytes(CODE_RANDOM_BYTES));
    expect(readCode(paste(code))).toBe(plain(code));
  });

  it.each(WRONGLY_PASTED)('is not read %s', (_, paste) => {
    expect(readCode(paste(writeCode(randomBytes(CODE_RANDOM_BYTES))))).toBeNull();
  });

  it('is read with anything between its symbols that is neither a letter nor a digit', () => {
    const noise = fc
      .string({ unit: ANY_CHARACTER, maxLength: 3 })
      .filter((text) => !/[0-9a-z]/i.test(text.normalize('NFKD')));
    fc.assert(
      fc.property(random, fc.array(noise, { minLength: 25, maxLength: 25 }), (bytes, between) => {
        const symbols = plain(writeCode(bytes));
        expect(readCode(Array.from(symbols, (symbol, at) => `${between[at]}${symbol}`).join(''))).toBe(symbols);
      }),
    );
  });

  it('is looked for in a text of any length at once', () => {
    const before = process.cpuUsage();
    for (const unit of ['A', 'A:', '\u200B', '=\r\n', 'É ', ': ']) {
      readCode(unit.repeat(1_000_000));
      readForeignCode(unit.repeat(1_000_000));
    }
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000);
  });

  it('is refused with any one symbol mistyped, save one case in a thousand', () => {
    let missed = 0;
    const tries = 2000;
    for (let time = 0; time < tries; time += 1) {
      const symbols = plain(writeCode(randomBytes(CODE_RANDOM_BYTES)));
      const at = time % 25;
      const wrong = symbols[at] === 'Z' ? 'Y' : 'Z';
      if (readCode(symbols.slice(0, at) + wrong + symbols.slice(at + 1)) !== null) missed += 1;
    }
    expect(missed).toBeLessThan(tries / 100);
  });

  it.each([
    '',
    '-',
    ' '.repeat(40),
    '0'.repeat(24),
    '0'.repeat(26),
    'U'.repeat(25),
    '🦉'.repeat(25),
    `${'0'.repeat(24)}\0`,
    'ß'.repeat(25),
  ])('is not read from %j', (text) => {
    expect(readCode(text)).toBeNull();
  });

  it('can be read from any text without failing', () => {
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER, maxLength: 60 }), (text) => {
        const read = readCode(text);
        expect(read === null || read.length === 25).toBe(true);
      }),
    );
  });

  it('has its last five symbols as its hint', () => {
    const code = writeCode(randomBytes(CODE_RANDOM_BYTES));
    expect(codeHint(plain(code))).toBe(code.slice(-5));
  });
});

it.each(PASTED)('a UUID of another tool is read %s', (_, paste) => {
  expect(readForeignCode(paste('38b1460a-5104-4067-a91d-77b872934d51'))).toBe('38B1460A51044067A91D77B872934D51');
});

it.each<[string, string | null]>([
  ['\u200B4F7Q\u2011K9X2\u00AD11LO=\r\n_IU+/=.\u2060', '4F7QK9X211LO_IU+/=.'],
  ['38b1460a-5104-4067-a91d-77b872934d51', '38B1460A51044067A91D77B872934D51'],
  ['  4F7Q K9X2-11LO_IU+/=. ', '4F7QK9X211LO_IU+/=.'],
  ['A1B2C3D4E5F6G7H', null],
  ['A1B2C-3D4E5-F6G7H-8I9J0-KLMNO', null],
  ['A1B2C-3D4E5-F6G7H-8I9J0-KLMNO-PQ', 'A1B2C3D4E5F6G7H8I9J0KLMNOPQ'],
  ['x'.repeat(20), null],
  ['abcde'.repeat(4), null],
  ['abcdef'.repeat(3), 'ABCDEF'.repeat(3)],
  ['0000-0000-0000-0001', null],
  ['ab12cd34ef'.repeat(51), 'AB12CD34EF'.repeat(51)],
  [`${'ab12cd34ef'.repeat(51)}012`, null],
  [
    `key/eyJ${'aB3.'.repeat(40)}Zz09_-+=\r\n${'qT7/'.repeat(16)}`,
    `KEY/EYJ${'AB3.'.repeat(40)}ZZ09_+${'QT7/'.repeat(16)}`,
  ],
  ['4F7QK9X211LO\u00e9IU123', null],
])('a code of another tool, %j, is read as %j', (text, expected) => {
  expect(readForeignCode(text)).toBe(expected);
});
