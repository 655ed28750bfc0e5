import { describe, expect, it } from '@jest/globals';
import { formatted, printable, printableJson } from './printable.js';

describe('text for a terminal', () => {
  it.each([
    ['clears the screen', 'a\u001B[2Jb', 'a[2Jb'],
    ['has a color', '\u001B[32mlive\u001B[39m', '[32mlive[39m'],
    ['hides what follows', 'a\u001B[8mb', 'a[8mb'],
    ['writes to the clipboard', '\u001B]52;c;aGk=\u0007', ']52;c;aGk='],
    ['begins a sequence by one character', 'a\u009B2Jb', 'a2Jb'],
    ['goes back to the start of the line', 'rejected\rlive', 'rejectedlive'],
    ['goes back by a letter', 'no\b\byes', 'noyes'],
    ['reads from right to left', 'a\u202Egpj.exe', 'agpj.exe'],
  ])('loses what %s', (_what, text, shown) => expect(printable(text)).toBe(shown));

  it.each(['Ñandú 🦉 扩展', 'שלום', 'a\tb\nc\r\nd'])('keeps %j', (text) => expect(printable(text)).toBe(text));

  it("keeps this program's own colors, and none of the text in them", () => {
    const text = `${formatted('green', '✓ \u001B[31mred')} ${formatted('bold', 'bold')}`;
    expect(printable(text)).toBe('\u001B[32m✓ [31mred\u001B[39m \u001B[1mbold\u001B[22m');
  });

  it('of JSON means the same as before', () => {
    const value = { name: 'a\u001B[2J\u009B2J\u202Eb\n' };
    const json = printableJson(JSON.stringify(value, null, 2));
    expect(json).not.toMatch(/[\u009B\u202E]/);
    expect(JSON.parse(json)).toEqual(value);
  });
});
