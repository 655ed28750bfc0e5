import { describe, expect, it } from 'vitest';
import { bearerToken } from './jwt.strategy.js';

describe('the token of an Authorization header', () => {
  it.each([
    ['Bearer a.b.c', 'a.b.c'],
    ['bearer a.b.c', 'a.b.c'],
    ['BEARER   a.b.c', 'a.b.c'],
    ['Bearer', null],
    ['a.b.c', null],
    ['Basic a.b.c', null],
    ['Bearer a b', 'a'],
    ['Bearer \t a', 'a'],
    ['', null],
    [undefined, null],
    [`Bearer ${'a'.repeat(2041)}`, 'a'.repeat(2041)],
    [`Bearer ${'a'.repeat(2042)}`, null],
  ])('of %j', (authorization, token) => {
    expect(bearerToken({ headers: authorization === undefined ? {} : { authorization } })).toBe(token);
  });
});
