import { expect, it } from 'vitest';
import fc from 'fast-check';
import { validate } from 'uuid';
import { firstId } from '../../common/fields/pure.js';
import { auditId } from './audit-id.js';

const time = fc.date({ min: new Date('2020-01-01'), max: new Date('2120-01-01'), noInvalidDate: true });

it('ids sort by time, and within a millisecond in the order in which they were made', () => {
  fc.assert(
    fc.property(fc.array(time), (times) => {
      const made = times.map((at, index) => ({ at: at.getTime(), index, id: auditId(at) }));
      expect(made.every(({ id }) => validate(id))).toBe(true);
      const byId = made.toSorted((one, other) => (one.id < other.id ? -1 : 1));
      expect(byId).toEqual(made.toSorted((one, other) => one.at - other.at || one.index - other.index));
    }),
  );
});

it('a time is a boundary between ids', () => {
  fc.assert(
    fc.property(time, (at) => {
      expect(firstId(at) < auditId(at)).toBe(true);
      expect(firstId(at) > auditId(new Date(at.getTime() - 1))).toBe(true);
    }),
  );
});

it.each(['1970-01-01', '1969-12-31', '1900-01-01', '1000-01-01'])('%s is before all entries', (time) => {
  expect(firstId(new Date(time)) < auditId(new Date('2020-01-01'))).toBe(true);
});
