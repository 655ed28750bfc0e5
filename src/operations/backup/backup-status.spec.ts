import { describe, expect, it } from 'vitest';
import { nextBackupAt, statusOf, type BackupRun } from './backup-status.js';

const NOW = new Date('2026-11-22T12:00:00Z');
const hoursAgo = (hours: number): Date => new Date(NOW.getTime() - hours * 3_600_000);

const NOTHING = { dueAt: null, startedAt: null, finishedAt: null, name: null, size: null, error: null };
const due = (createdAt: Date, dueAt = NOW): BackupRun => ({ ...NOTHING, id: 'due', state: 'due', createdAt, dueAt });
const ended = (state: 'succeeded' | 'failed', hours: number): BackupRun => ({
  ...NOTHING,
  id: `${state} ${hours}`,
  state,
  createdAt: hoursAgo(hours + 24),
  startedAt: hoursAgo(hours + 0.5),
  finishedAt: hoursAgo(hours),
  ...(state === 'succeeded' ? { name: 'a.zip', size: '12' } : { error: 'No space left.' }),
});

describe('an outage of the backups', () => {
  it.each([
    ['is none without a schedule', null, [ended('succeeded', 1000)], null],
    ['is none before the first poll', 6, [], null],
    ['is none while the first backup is due for less than a day', 6, [due(hoursAgo(23))], null],
    ['begins with the schedule where none ever succeeded', 6, [ended('failed', 1), due(hoursAgo(25))], 'due'],
    ['is none for a day, whatever fails', 6, [ended('failed', 1), ended('succeeded', 24)], null],
    ['is one after a day without a success', 6, [ended('failed', 1), ended('succeeded', 24.1)], 'succeeded 24.1'],
    ['allows a daily backup an hour', 24, [due(hoursAgo(25)), ended('succeeded', 25)], null],
    ['is one for a daily backup an hour later', 24, [due(hoursAgo(25)), ended('succeeded', 25.1)], 'succeeded 25.1'],
    ['is none for a weekly backup within the week', 168, [ended('succeeded', 168)], null],
    ['is ended by a backup made by hand', 6, [ended('succeeded', 0), ended('failed', 1), ended('succeeded', 90)], null],
  ])('%s', (_, everyHours, runs, id) => {
    const { outage } = statusOf(runs, everyHours, NOW);
    expect(outage?.id ?? null).toBe(id);
  });
});

describe('the status of the backups', () => {
  it('shows the last that ended and the last that succeeded, by when they ended', () => {
    const runs = [due(hoursAgo(0), hoursAgo(-5)), ended('succeeded', 3), ended('failed', 2)];
    expect(statusOf(runs, 6, NOW)).toMatchObject({
      everyHours: 6,
      nextAt: hoursAgo(-5),
      last: { outcome: 'failed', finishedAt: hoursAgo(2), name: null, sizeBytes: null, error: 'No space left.' },
      lastSucceeded: { outcome: 'succeeded', finishedAt: hoursAgo(3), name: 'a.zip', sizeBytes: 12, error: null },
    });
  });

  it('shows nothing as next once the schedule is off', () => {
    expect(statusOf([due(hoursAgo(1))], null, NOW)).toMatchObject({ nextAt: null, last: null, lastSucceeded: null });
  });
});

describe('the next backup is due', () => {
  it.each([
    ['at once when there was none', null, 24, NOW],
    ['a day after the last one began', { outcome: 'succeeded', startedAt: hoursAgo(2) }, 24, hoursAgo(-22)],
    ['at once when that has passed', { outcome: 'succeeded', startedAt: hoursAgo(50) }, 24, NOW],
    ['half an hour after a failure', { outcome: 'failed', startedAt: hoursAgo(2) }, 24, hoursAgo(-0.5)],
  ] as const)('%s', (_, last, everyHours, at) => expect(nextBackupAt(last, everyHours, NOW)).toEqual(at));
});
