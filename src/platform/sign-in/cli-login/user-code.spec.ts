import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { newUserCode, readUserCode } from './user-code.js';

describe('a code that people compare', () => {
  it.each([
    ['WDJB-MJHT', 'WDJB-MJHT'],
    ['wdjbmjht', 'WDJB-MJHT'],
    [' wdjb mjht ', 'WDJB-MJHT'],
    ['W-D-J-B-M-J-H-T', 'WDJB-MJHT'],
    ['WDJB-MJH', null],
    ['WDJB-MJHTX', null],
    ['ADJB-MJHT', null],
    ['WDJB-MJH1', null],
    ['', null],
  ])('typed as %j is read as %j', (typed, code) => {
    expect(readUserCode(typed)).toBe(code);
  });

  it('is read as it was made, and differs each time', () => {
    const made = Array.from({ length: 1000 }, newUserCode);
    expect(new Set(made).size).toBe(1000);
    expect(made.filter((code) => readUserCode(code) !== code)).toEqual([]);
  });

  it('is none for other texts, whatever they are', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const code = readUserCode(text);
        expect(code === null || readUserCode(code) === code).toBe(true);
      }),
    );
  });
});
