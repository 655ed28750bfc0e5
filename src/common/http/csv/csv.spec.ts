import { expect, it } from '@jest/globals';
import { csvOf } from './csv.js';

it('CSV quotes special characters, and escapes what a spreadsheet would run', () => {
  expect(
    csvOf([
      ['a', 1, null],
      ['x,"y"\n', '=1+1', '-1'],
      ['@x', -1, '+x'],
    ]),
  ).toBe('a,1,\r\n"x,""y""\n",\'=1+1,\'-1\r\n\'@x,-1,\'+x\r\n');
});
