import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { formatted, linkedTo, printable, seenOf } from './printable.js';
import { table } from './table.js';
import type { Style } from './style.js';
import { folded, truncated, widthOf, wrapped } from './width.js';

const plain: Style = (_format, text) => text;
const at = (width: number): Style => Object.assign((_format: unknown, text: string) => text, { width });
const lines = (text: string): string[] => text.split('\n');

describe('a table', () => {
  it('has columns of equal width, whatever their colors and alphabets', () => {
    const rows = [
      [formatted('red', 'longer'), 'b', 'c'],
      ['扩展🦉', 'd'],
      ['one\n  two', 'x'],
    ];
    expect(lines(printable(table(rows, plain, { heads: ['A', 'LONG'] })))).toEqual([
      '  A        LONG',
      '  \u001B[31mlonger\u001B[39m   b     c',
      '  扩展🦉   d',
      '  one two  x',
    ]);
  });

  const heads = ['EXTENSION', 'CHROME', 'FIREFOX', 'EDGE'];
  const rows = [
    ['Tab Counter for People with Many Windows', '1.3.2 → 1.4.0 in review', '—', '1.4.0 live'],
    ['Night Owl', 'needs you', '—', '1.3.2 → 1.4.0 trying again'],
  ];

  it('of a file is not cut', () => expect(table(rows, plain, { heads })).not.toContain('…'));

  it('in a terminal loses the columns that say nothing, and then the ends of its longest cells', () => {
    expect(lines(table(rows, at(100), { heads }))).toEqual([
      '  EXTENSION                                 CHROME                   EDGE',
      '  Tab Counter for People with Many Windows  1.3.2 → 1.4.0 in review  1.4.0 live',
      '  Night Owl                                 needs you                1.3.2 → 1.4.0 trying again',
    ]);
    expect(lines(table(rows, at(64), { heads }))).toEqual([
      '  EXTENSION            CHROME               EDGE',
      '  Tab Counter for…     1.3.2 → 1.4.0 in…    1.4.0 live',
      '  Night Owl            needs you            1.3.2 → 1.4.0…',
    ]);
  });

  it('leaves out what can be spared before its cells get too short to read, and cuts no number', () => {
    const figures = [['Tab Counter for People', '1,204', '2', '2,408', '3,612']];
    const layout = { heads: ['NAME', 'ACTIVE', 'NEW', '7 DAYS', '28 DAYS'], whole: [1, 2, 3, 4], dispensable: [4, 3] };
    expect(lines(table(figures, at(40), layout))).toEqual([
      '  NAME               ACTIVE  NEW  7 DAYS',
      '  Tab Counter for…   1,204   2    2,408',
    ]);
    expect(lines(table(figures, at(36), layout))[1]).toBe('  Tab Counter for…       1,204   2');
  });

  it('counts the text of a link, and not its address', () => {
    const cells = [[linkedTo('https://example.com/a/very/long/address', 'Tab Counter for People'), 'live']];
    const [line = ''] = lines(table(cells, at(24)));
    expect([seenOf(line), widthOf(line)]).toEqual(['  Tab Counter for…  live', 24]);
    expect(printable(line).match(/\]8;;/g)).toHaveLength(2);
  });

  it('has its sentences below the rows where there is no room beside them', () => {
    const said = 'Chrome has approved the version. https://chromewebstore.google.com/detail/night-owl';
    const targets = [
      ['Chrome', 'approved', said],
      ['Edge', 'live', ''],
    ];
    const layout = { endsInProse: true };
    expect(lines(table(targets, plain, layout))[0]).toBe(`  Chrome  approved  ${said}`);
    expect(lines(table(targets, at(60), layout))).toEqual([
      '  Chrome  approved',
      '    Chrome has approved the version.',
      '    https://chromewebstore.google.com/detail/night-owl',
      '  Edge    live',
    ]);
  });

  it('is never wider than its terminal', () => {
    const cell = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.constantFrom('—', '扩展程序 计数器', '👩‍👩‍👧 family', formatted('green', '1.4.0 live for 10 %')),
    );
    const rectangle = fc
      .integer({ min: 1, max: 6 })
      .chain((count) =>
        fc.array(fc.array(cell, { minLength: count, maxLength: count }), { minLength: 1, maxLength: 5 }),
      );
    const layouts = fc.record({
      endsInProse: fc.boolean(),
      whole: fc.subarray([0, 1, 2, 3]),
      dispensable: fc.subarray([0, 1, 2, 3]),
    });
    fc.assert(
      fc.property(rectangle, layouts, fc.integer({ min: 5, max: 120 }), (cells, layout, width) => {
        for (const line of lines(table(cells, at(width), layout))) expect(widthOf(line)).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe('a text that is too long', () => {
  it.each([
    ['waits for the store', 10, 'waits for…'],
    ['waits for the store', 11, 'waits for…'],
    ['waits for the store', 19, 'waits for the store'],
    ['1.3.2 → 1.4.0 in review', 10, '1.3.2…'],
    ['customer@example.com', 12, 'customer@ex…'],
    ['扩展程序计数器', 8, '扩展程…'],
    ['👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 5, '👩‍👩‍👧👩‍👩‍👧…'],
    ['anything', 1, '…'],
  ])('%s is in %d columns %s', (text, width, shown) => expect(truncated(text, width)).toBe(shown));

  it('keeps its colors, and ends them', () =>
    expect(printable(truncated(`${formatted('green', 'in review')} ${formatted('red', 'now')}`, 7))).toBe(
      '\u001B[32min…\u001B[39m\u001B[31m\u001B[39m',
    ));

  it('is broken between words, and where no spaces are written anywhere', () => {
    expect(wrapped('Renew the key at once.', 9)).toEqual(['Renew the', 'key at', 'once.']);
    expect(wrapped('更新密钥。', 6)).toEqual(['更新密', '钥。']);
    expect(wrapped('See https://example.com', 9)).toEqual(['See', 'https://…']);
  });
});

describe('prose', () => {
  it.each([
    ['Renew the key at once.', 40, 'Renew the key at once.'],
    ['Renew the key at once.', 12, 'Renew the\nkey at once.'],
    ['  Renew the key\nat once.', 11, '  Renew the\n  key\nat once.'],
    ['⚠ Users see it disabled.', 12, '⚠ Users see\n  it\n  disabled.'],
    ['See https://example.com/a/long/path now.', 20, 'See\nhttps://example.com/a/long/path\nnow.'],
    ['Resume with: pierhead watch chrome --json', 20, 'Resume with:\npierhead watch chrome --json'],
    ['⚠ https://example.com/path', 12, '⚠ https://example.com/path'],
    ['更新密钥。', 6, '更新密\n钥。'],
  ])('%j in %d columns is %j', (text, width, expected) => expect(folded(text, width)).toBe(expected));

  it('has its colors where it is broken', () =>
    expect(printable(folded(`${formatted('yellow', '⚠')} It is late.`, 8))).toBe(
      '\u001B[33m⚠\u001B[39m It is\n  late.',
    ));

  it('of a file is not broken', () => expect(folded('word '.repeat(100))).toBe('word '.repeat(100)));
});
