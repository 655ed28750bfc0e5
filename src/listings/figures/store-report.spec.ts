import { describe, expect, it } from 'vitest';
import { daysOf, sharesOf, versionsOf, type FigureRow } from './store-report.js';

const row = (day: string, metric: FigureRow['metric'], amount: number, of: Partial<FigureRow> = {}): FigureRow => ({
  targetId: 'one',
  day,
  metric,
  dimension: '',
  value: '',
  amount,
  ...of,
});
const usersOf = (day: string, dimension: FigureRow['dimension'], value: string, amount: number): FigureRow =>
  row(day, 'users', amount, { dimension, value });

describe('daysOf', () => {
  it('has each day of the range, and null for what was not told; zero is told', () => {
    const days = daysOf({ from: '2026-02-28', to: '2026-03-01' }, [
      row('2026-02-28', 'users', 0),
      row('2026-03-01', 'rating', 4.5),
      usersOf('2026-03-01', 'country', 'CH', 7),
    ]);
    expect(days.map(({ date, users, rating }) => [date, users, rating])).toEqual([
      ['2026-02-28', 0, null],
      ['2026-03-01', null, 4.5],
    ]);
  });
});

describe('sharesOf', () => {
  it('are those of the last day that was told, most users first, and unknown is null', () => {
    const rows = [
      usersOf('2026-03-01', 'country', 'CH', 70),
      usersOf('2026-03-02', 'country', 'CH', 5),
      usersOf('2026-03-02', 'country', '', 9),
      usersOf('2026-03-03', 'language', 'de', 1),
    ];
    expect(sharesOf(rows, 'country')).toEqual([
      { value: null, users: 9 },
      { value: 'CH', users: 5 },
    ]);
    expect(sharesOf([], 'country')).toEqual([]);
  });

  it('add up what is not listed', () => {
    const rows = Array.from({ length: 25 }, (_, at) => usersOf('2026-03-01', 'country', `C${at}`, at));
    const shares = sharesOf(rows, 'country');
    expect(shares).toHaveLength(21);
    expect(shares.at(-1)).toEqual({ value: 'other', users: 0 + 1 + 2 + 3 + 4 });
  });
});

describe('versionsOf', () => {
  it('leaves out days without figures, and adds up to all users of a day', () => {
    const rows = Array.from({ length: 22 }, (_, at) => usersOf('2026-03-01', 'version', `1.${at}`, at + 1));
    const { versions, points } = versionsOf([...rows, usersOf('2026-03-04', 'version', '1.21', 3)]);
    expect(versions).toHaveLength(21);
    expect(versions[0]).toBe('1.21');
    expect(points.map(({ date, users }) => [date, users.reduce((sum, one) => sum + one, 0)])).toEqual([
      ['2026-03-01', (22 * 23) / 2],
      ['2026-03-04', 3],
    ]);
  });
});
