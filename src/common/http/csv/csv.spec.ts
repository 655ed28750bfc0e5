import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { csvOf } from './csv.js';
import { csvRows, type CsvRow } from '../bodies/read-csv.js';

const rowsOf = async (text: string): Promise<readonly CsvRow[]> => {
  const rows: CsvRow[] = [];
  for await (const row of csvRows([text], { lines: 10_000, cells: 100 })) rows.push(row);
  return rows;
};

/** How long a piece of work keeps the event loop to itself at most, and how long it takes in all, in milliseconds of this process's work. */
async function turnsOf(work: Promise<unknown>): Promise<{ readonly longest: number; readonly total: number }> {
  const state = { isDone: false };
  void work.finally(() => {
    state.isDone = true;
  });
  let longest = 0;
  let total = 0;
  while (!state.isDone) {
    const before = process.cpuUsage();
    await setImmediate();
    const { user, system } = process.cpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    total += (user + system) / 1000;
  }
  return { longest, total };
}

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

describe('CSV that is read', () => {
  it.each<[string, readonly (readonly [number, ...string[]])[]]>([
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
  ])('%j', async (text, expected) => {
    expect((await rowsOf(text)).map(({ line, cells }) => [line, ...cells])).toEqual(expected);
  });

  it.each([
    ['with an open quote', '"open', 'is not CSV: a quoted cell does not end'],
    ['with text behind a quoted cell', '"a"b', 'is not CSV: a quote in line 1 neither begins nor ends a cell'],
    ['with a quote in a cell', 'one\na"b', 'is not CSV: a quote in line 2 neither begins nor ends a cell'],
    ['of 200,000 characters in a line', `a\n${'b'.repeat(200_000)}`, 'has more than 100000 characters in line 2'],
    ['of 101 cells', `a\n${','.repeat(100)}`, 'has more than 100 cells in line 2'],
    ['of 101 cells after one of two lines', `a\n"b\nc"${','.repeat(100)}`, 'has more than 100 cells in line 2'],
    ['of 10,001 lines', 'a\n'.repeat(10_001), 'has more than 10000 lines'],
    ['of a million empty lines', '\n'.repeat(1_000_000), 'has more than 10000 lines'],
  ])('is refused %s', async (_, text, fault) => {
    await expect(rowsOf(text)).rejects.toThrow(fault);
  });

  it.each(['a', ',', '\n', '\r', '"', '""', '"a",', "'=", ' '])(
    'lets others run meanwhile: a megabyte of %j',
    async (unit) => {
      const text = unit.repeat(Math.ceil(1_048_576 / unit.length));
      let excess = Infinity;
      // A collection of garbage may fall into any turn, and takes three times as long on a machine that is three times slower.
      for (let time = 0; time < 25 && excess > 0; time += 1) {
        const { longest, total } = await turnsOf(rowsOf(text).catch(() => []));
        excess = Math.min(excess, longest - Math.max(50, total / 4));
      }
      expect(excess).toBeLessThanOrEqual(0);
    },
  );

  it('is what was written', async () => {
    const cells = ['=1', 'a,b', 'say "x"', 'two\r\nlines', "it's", '+49', ''];
    expect((await rowsOf(csvOf([cells, cells]))).map((row) => row.cells)).toEqual([cells, cells]);
  });
});
