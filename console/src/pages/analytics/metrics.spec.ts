import { expect, it } from 'vitest';
import { measuredSegment } from './metrics';

const compared = { value: 4, before: null, change: null };
const segment = {
  filters: [],
  pingsFrom: '2030-01-02',
  sample: 1,
  shares: {} as never,
  days: [
    { date: '2030-01-02', active: 3, new: null },
    { date: '2030-01-03', active: 5, new: null },
  ],
  previous: [],
  changes: { from: '', to: '', beforeFrom: '', beforeTo: '', active: compared, new: null },
};
const days = ['2030-01-01', '2030-01-02', '2030-01-03'];

it('days before the pings that are kept have no value, and what is not counted is not shown', () => {
  expect(measuredSegment(segment, days)).toEqual([
    { metric: 'active', compared, days, values: [null, 3, 5], before: undefined },
  ]);
});

it('one property has its new installs and the days before', () => {
  const one = segment.days.map((day) => ({ ...day, new: 1 }));
  const [active, fresh] = measuredSegment(
    { ...segment, days: one, previous: one, changes: { ...segment.changes, new: compared } },
    days.slice(1),
  );
  expect(active?.before).toEqual({ days: days.slice(1), values: [3, 5] });
  expect(fresh).toMatchObject({ metric: 'new', values: [1, 1] });
});
