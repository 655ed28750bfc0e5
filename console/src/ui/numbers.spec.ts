import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { percentIn, wholeNumberIn } from './numbers';

describe('a number that was typed', () => {
  it.each([
    ['20', 20],
    [' 20 ', 20],
    ['007', 7],
    ['0', 0],
    ['', 0],
    ['-1', 0],
    ['1.5', 0],
    ['1e3', 0],
    ['0x10', 0],
    ['all', 0],
  ])('as “%s” is %s', (text, number) => {
    expect(wholeNumberIn(text)).toBe(number);
  });

  it.each([
    ['20', 20],
    ['20%', 20],
    ['20 % ', 20],
    ['%', 0],
    ['20%%', 0],
    ['2,5 %', 0],
  ])('as a percentage “%s” is %s', (text, percent) => {
    expect(percentIn(text)).toBe(percent);
  });

  it('is sent as a whole number that is not negative, whatever was typed', () => {
    const isSendable = (number: number): boolean => Number.isInteger(number) && number >= 0;
    fc.assert(fc.property(fc.string(), (text) => isSendable(wholeNumberIn(text)) && isSendable(percentIn(text))));
    fc.assert(fc.property(fc.nat(), (number) => percentIn(` ${number} %`) === number));
  });
});
