import { expect, it } from 'vitest';
import { csvOf } from './csv.js';

it('CSV quotes special characters, and escapes what a spreadsheet would run', () => {
  expect(
    csvOf([
      ['a', 1, null],
      ['x,"y"\n', '=1+1', '-1'],
      ['@x', -1, '+x'],
      ['\tx', '\rx', 'x\ry'],
    ]),
  ).toBe('a,1,\r\n"x,""y""\n",\'=1+1,\'-1\r\n\'@x,-1,\'+x\r\n\'\tx,"\'\rx","x\ry"\r\n');
});
