import { describe, expect, it } from 'vitest';
import { entityTagOf, Precondition } from './precondition.js';

const row = { updatedAt: new Date('2026-05-04T09:30:00.001Z') };
const TAG = '"2026-05-04T09:30:00.001Z"';
const OTHER = '"2026-05-04T09:30:00.000Z"';

describe('If-Match', () => {
  it('names a resource by the time of its last change', () => expect(entityTagOf(row)).toBe(TAG));

  it.each([
    ['no header', undefined],
    ['any state', '*'],
    ['any state, spaced', ' * '],
    ['the tag', TAG],
    ['a list that has the tag', `${OTHER}, ${TAG}`],
    ['a list with empty elements', `, ,${OTHER},,\t${TAG},`],
    ['a list whose other tags have commas', `"a,b", ${TAG}`],
  ])('holds for %s', (_, header) => expect(() => Precondition.ifMatch(header).check(row)).not.toThrow());

  it.each([
    ['another tag', OTHER],
    ['a weak tag', `W/${TAG}`],
    ['an empty tag', '""'],
    ['a list without the tag', `${OTHER}, "x"`],
  ])('fails for %s', (_, header) =>
    expect(() => Precondition.ifMatch(header).check(row)).toThrow(
      expect.objectContaining({ name: 'precondition_failed' }),
    ),
  );

  it.each([
    ['without quotes', '2026-05-04T09:30:00.001Z'],
    ['empty', ''],
    ['of commas', ',,'],
    ['with an open quote', `${TAG}, "x`],
    ['with * among tags', `${TAG}, *`],
    ['with a lower-case weak tag', `w/${TAG}`],
  ])('is refused when it is %s', (_, header) =>
    expect(() => Precondition.ifMatch(header)).toThrow(expect.objectContaining({ name: 'invalid_request' })),
  );
});
