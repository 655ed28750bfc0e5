import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { backupsToDelete } from './retention.js';

const at = (time: string) => ({ createdAt: new Date(time) });
const LATER = new Date('2026-12-01');
const left = (times: readonly string[], retention: Parameters<typeof backupsToDelete>[1], now = LATER) => {
  const gone = new Set(backupsToDelete(times.map(at), retention, now).map(({ createdAt }) => createdAt.toISOString()));
  return times.filter((time) => !gone.has(new Date(time).toISOString()));
};

describe('backups are kept', () => {
  it.each([
    ['the newest of each day', { days: 2, weeks: 0, months: 0 }, ['2026-11-22T23:00Z', '2026-11-21T23:00Z']],
    // The 22nd is a Sunday, the 16th the Monday before.
    [
      'the newest of each week, from Monday',
      { days: 0, weeks: 2, months: 0 },
      ['2026-11-22T23:00Z', '2026-11-15T23:00Z'],
    ],
    [
      'the newest of each month',
      { days: 0, weeks: 0, months: 3 },
      ['2026-11-22T23:00Z', '2026-10-31T23:00Z', '2026-08-01T00:00Z'],
    ],
    ['the newest of all, whatever the rule', { days: 0, weeks: 0, months: 0 }, ['2026-11-22T23:00Z']],
  ])('%s', (_, retention, kept) => {
    const all = [
      '2026-11-22T23:00Z',
      '2026-11-22T01:00Z',
      '2026-11-21T23:00Z',
      '2026-11-16T00:00Z',
      '2026-11-15T23:00Z',
      '2026-10-31T23:00Z',
      '2026-08-01T00:00Z',
    ];
    expect(left(all, retention)).toEqual(kept);
  });

  it.each([
    ['2026-11-22T12:00Z', ['2026-11-22T12:00Z', '2026-11-22T03:00Z', '2026-11-21T12:00Z']],
    ['2026-11-22T12:01Z', ['2026-11-22T12:00Z', '2026-11-22T03:00Z', '2026-11-21T12:00Z']],
    ['2026-11-23T03:01Z', ['2026-11-22T12:00Z', '2026-11-21T12:00Z']],
  ])('of the last 24 hours all, at %s', (now, kept) => {
    const all = ['2026-11-22T12:00Z', '2026-11-22T03:00Z', '2026-11-21T12:00Z', '2026-11-21T03:00Z'];
    expect(left(all, { days: 2, weeks: 0, months: 0 }, new Date(now))).toEqual(kept);
  });

  it('never without the newest, at most as many as the rule says and the last 24 hours have, and the same ones when asked again', () => {
    const count = fc.nat(5);
    fc.assert(
      fc.property(
        fc.array(fc.date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true }), {
          minLength: 1,
        }),
        fc.record({ days: count, weeks: count, months: count }),
        fc.date({ min: new Date('2026-01-01'), max: new Date('2028-12-31'), noInvalidDate: true }),
        (times, retention, now) => {
          const backups = times.map((createdAt) => ({ createdAt }));
          const gone = new Set(backupsToDelete(backups, retention, now));
          const kept = backups.filter((backup) => !gone.has(backup));
          const newest = Math.max(...times.map((time) => time.getTime()));
          expect(kept.some(({ createdAt }) => createdAt.getTime() === newest)).toBe(true);
          const recent = times.filter((time) => time.getTime() >= now.getTime() - 86_400_000).length;
          const { days, weeks, months } = retention;
          expect(kept.length).toBeLessThanOrEqual(Math.max(1, days + weeks + months) + recent);
          expect(kept.length).toBeGreaterThanOrEqual(recent);
          expect(backupsToDelete(kept, retention, now)).toEqual([]);
        },
      ),
    );
  });
});
