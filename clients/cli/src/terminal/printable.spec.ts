import { describe, expect, it } from 'vitest';
import { formatted, linkedTo, printable, printableJson, seenOf } from './printable.js';

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

describe('a link', () => {
  const link = '\u001B]8;;https://example.com/a%20b\u001B\\here\u001B]8;;\u001B\\';

  it('leads to its address, and takes the columns of its text', () => {
    const text = linkedTo('https://example.com/a b', 'here');
    expect([printable(text), seenOf(text)]).toEqual([link, 'here']);
  });

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'https://', 'none'])('leads to no other place: %s', (address) =>
    expect(linkedTo(address, 'here')).toBe('here'),
  );

  it('has nothing of an address that would end it', () => {
    const evil = printable(linkedTo('https://example.com/\u001B\\\u0007\u001B]0;title', 'here'));
    expect(evil.split('\u001B')).toHaveLength(5);
    expect(evil).not.toContain('\u0007');
  });

  it('is of no text but that of this program', () => expect(printable(link)).not.toContain('\u001B'));
});
