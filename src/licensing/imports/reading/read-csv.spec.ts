import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvOf } from '../../../common/http/csv/csv.js';
import { readCsv, type CsvRow } from './read-csv.js';

/** The rows of a text that comes in parts of so many bytes. */
async function rowsOf(text: string, bytes = Infinity): Promise<readonly CsvRow[]> {
  const rows: CsvRow[] = [];
  let rest = Buffer.from(text);
  let [waiting, linesBefore] = [Buffer.alloc(0), 0];
  for (let isLast = false; !isLast;) {
    waiting = Buffer.concat([waiting, rest.subarray(0, bytes)]);
    rest = rest.subarray(bytes);
    isLast = rest.length === 0;
    const part = { bytes: waiting, linesBefore, isLast, delimiter: ',' };
    const read = await readCsv(part, { lines: 10_000, cells: 100 });
    rows.push(...read.rows);
    waiting = waiting.subarray(read.end);
    linesBefore = read.lines;
  }
  return rows;
}

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

  it.each([',', '"a",', '""'])(
    'whose row is without end, of %s, is refused before all of it has come',
    async (unit) => {
      const part = {
        bytes: Buffer.from(`a\n${unit.repeat(50_001)}${unit.repeat(50_001)}`),
        linesBefore: 0,
        isLast: false,
        delimiter: ',',
      };
      await expect(readCsv(part, { lines: 10_000, cells: 100 })).rejects.toThrow(
        'more than 100000 characters in line 2',
      );
    },
  );

  it('has the same rows and faults in whatever parts it comes', async () => {
    const piece = fc.constantFrom('a', 'ö', ',', '\n', '\r', '\r\n', '"', '""', '"b",', '"c\r\nd"\n', "'=", ' ');
    const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));
    const outcome = (work: Promise<readonly CsvRow[]>): Promise<unknown> => work.catch((error: Error) => error.message);
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (csv, bytes) => {
        expect(await outcome(rowsOf(csv, bytes))).toEqual(await outcome(rowsOf(csv)));
      }),
    );
  });

  it('is what was written', async () => {
    const cells = ['=1', 'a,b', 'say "x"', 'two\r\nlines', "it's", '+49', ''];
    expect((await rowsOf(csvOf([cells, cells]))).map((row) => row.cells)).toEqual([cells, cells]);
  });
});
