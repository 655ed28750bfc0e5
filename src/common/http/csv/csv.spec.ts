import { describe, expect, it } from '@jest/globals';
import { csvOf } from './csv.js';
import { readCsv } from './read-csv.js';

it('CSV quotes special characters, and escapes what a spreadsheet would run', () => {
  expect(
    csvOf([
      ['a', 1, null],
      ['x,"y"\n', '=1+1', '-1'],
      ['@x', -1, '+x'],
    ]),
  ).toBe('a,1,\r\n"x,""y""\n",\'=1+1,\'-1\r\n\'@x,-1,\'+x\r\n');
});

describe('CSV that is read', () => {
  it.each<[string, readonly (readonly [number, ...string[]])[] | null]>([
    ['', []],
    [
      'a,b\r\n1,2\r\n',
      [
        [1, 'a', 'b'],
        [2, '1', '2'],
      ],
    ],
    [
      '\uFEFFa;b\n\n  c  ',
      [
        [1, 'a;b'],
        [3, 'c'],
      ],
    ],
    [
      'a,\r"x,""y""\nz",\n,\nend',
      [
        [1, 'a', ''],
        [2, 'x,"y"\nz', ''],
        [5, 'end'],
      ],
    ],
    ["'=1+1,'-1,'tis", [[1, '=1+1', '-1', "'tis"]]],
    ['"open', null],
    ['"a"b', null],
    ['a"b', null],
  ])('%j', (text, expected) => {
    expect(readCsv(text)?.map(({ line, cells }) => [line, ...cells]) ?? null).toEqual(expected);
  });

  it('is what was written', () => {
    const cells = ['=1', 'a,b', 'say "x"', 'two\r\nlines', "it's", '+49', ''];
    expect(readCsv(csvOf([cells, cells]))?.map((row) => row.cells)).toEqual([cells, cells]);
  });
});
