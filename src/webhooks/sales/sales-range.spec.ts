import { describe, expect, it } from 'vitest';
import { dayAfter, salesRange } from './sales-range.js';

const NOW = new Date('2027-03-10T23:30:00Z');

describe('the range of sales figures', () => {
  it.each([
    [{}, { from: '2027-02-11', to: '2027-03-10' }],
    [{ to: '2027-01-28' }, { from: '2027-01-01', to: '2027-01-28' }],
    [{ from: '2027-03-10' }, { from: '2027-03-10', to: '2027-03-10' }],
    [
      { from: '2026-02-04', to: '2027-03-10' },
      { from: '2026-02-04', to: '2027-03-10' },
    ],
  ])('of %j', (query, expected) => {
    expect(salesRange(query, NOW)).toEqual(expected);
  });

  it.each([
    [{ from: '2027-02-30' }, 'from: must be a day of the calendar.'],
    [{ to: '2027-13-01' }, 'to: must be a day of the calendar.'],
    [{ to: '0000-01-01' }, 'to: must be a day of the calendar.'],
    [{ from: '2027-03-11' }, 'from: must not be after `to`.'],
    [{ from: '2026-02-03' }, 'from: must be at most 400 days before the end of `to`.'],
  ])('is refused: %j', (query, refusal) => {
    expect(() => salesRange(query, NOW)).toThrow(refusal);
  });

  it('ends with the last moment of its last day', () => {
    expect(dayAfter('2027-02-28').toISOString()).toBe('2027-03-01T00:00:00.000Z');
  });
});
