import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { changedFields, hasChanged } from './changes.js';

const AT = new Date('2030-01-31T00:00:00Z');

describe('what is kept of a change', () => {
  it.each([
    ['a new row', undefined, { a: 1, b: null, secret: 's' }, { before: null, after: { a: 1, b: null } }],
    ['a deleted row', { a: 1, b: AT, secret: 's' }, undefined, { before: { a: 1, b: AT }, after: null }],
    ['a changed field', { a: 1, b: 2 }, { a: 1, b: 3 }, { before: { b: 2 }, after: { b: 3 } }],
    ['a list that changed', { a: [1] }, { a: [1, 2] }, { before: { a: [1] }, after: { a: [1, 2] } }],
    ['equal times', { a: AT, b: 1 }, { a: new Date(AT), b: 2 }, { before: { b: 1 }, after: { b: 2 } }],
    ['a secret that changed', { a: 1, secret: 's' }, { a: 1, secret: 't' }, { before: null, after: null }],
    ['nothing', undefined, undefined, { before: null, after: null }],
  ])('%s: the fields that are listed and differ', (_, before, after, kept) => {
    expect(changedFields(['a', 'b'], before, after)).toEqual(kept);
  });

  it('never has a field that is not listed, whatever the rows hold', () => {
    const row = fc.dictionary(fc.constantFrom('a', 'b', 'secret', '__proto__', 'toString'), fc.jsonValue());
    fc.assert(
      fc.property(fc.option(row, { nil: undefined }), fc.option(row, { nil: undefined }), (before, after) => {
        const kept = changedFields(['a', 'b', 'toString'], before, after);
        for (const fields of [kept.before, kept.after])
          expect(Object.keys(fields ?? {}).every((name) => ['a', 'b', 'toString'].includes(name))).toBe(true);
      }),
    );
  });
});

describe('a row', () => {
  it.each([
    [{ a: 1, updatedAt: 1 }, { a: 1, updatedAt: 2 }, false],
    [{ a: 1 }, { a: 2 }, true],
    [{ a: 1 }, { a: 1, b: 2 }, true],
    [{ a: null }, {}, false],
    [{ a: Buffer.from('x') }, { a: Buffer.from('y') }, true],
  ])('%j has changed to %j: %s', (before, after, expected) => {
    expect(hasChanged(before, after)).toBe(expected);
  });
});
