import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { NIL_ID, uuidOrNil, newId } from './ids.js';

describe('an id', () => {
  it('made later sorts later, within a millisecond too', () => {
    const ids = Array.from({ length: 1000 }, newId);
    expect(ids.toSorted((one, other) => (one < other ? -1 : 1))).toEqual(ids);
    expect(new Set(ids).size).toBe(1000);
  });

  it('is read in either case', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(uuidOrNil(id)).toBe(id);
        expect(uuidOrNil(id.toUpperCase())).toBe(id);
      }),
    );
  });

  it('that is not a UUID is the id of nothing', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.anything(),
          fc.string(),
          fc.uuid().map((id) => `${id} `),
        ),
        (value) => {
          expect(uuidOrNil(value)).toBe(NIL_ID);
        },
      ),
    );
    expect(newId() > NIL_ID).toBe(true);
  });
});
