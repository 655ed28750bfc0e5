import { describe, expect, it } from 'vitest';
import { printed } from './output.js';

const ROWS = [
  { email: 'ann@author.example', tenants: ['Owl', 'Fox'], password: true, created: null },
  { email: 'b@owl.example', tenants: [], password: false, created: 7 },
];

describe('what a command prints', () => {
  it('is a table whose columns are aligned', () => {
    expect(printed(ROWS, false)).toBe(
      [
        'EMAIL               TENANTS   PASSWORD  CREATED',
        'ann@author.example  Owl, Fox  yes       -',
        'b@owl.example                 no        7',
        '',
      ].join('\n'),
    );
  });

  it('has a line for each member of a single result, and a word for an empty list', () => {
    expect(printed({ user: 'ann@author.example', expires: null }, false)).toBe(
      'user     ann@author.example\nexpires  -\n',
    );
    expect(printed([], false)).toBe('None.\n');
  });

  it('is JSON if wished', () => {
    expect(JSON.parse(printed(ROWS, true))).toEqual(ROWS);
    expect(JSON.parse(printed([], true))).toEqual([]);
  });

  it('holds nothing that a terminal would carry out', () => {
    expect(printed({ name: 'Owl\u001b[2J\nroot' }, false)).toBe('name  Owl [2J root\n');
    const name = '\u001b\u007f\u009b2J\u202e\u2066';
    expect(printed({ name }, false)).toBe('name     2J\n');
    expect(printed({ name }, true)).toBe('{\n  "name": "\\u001b\\u007f\\u009b2J\\u202e\\u2066"\n}\n');
    expect(JSON.parse(printed({ name }, true))).toEqual({ name });
  });
});
