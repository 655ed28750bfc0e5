import { expect, it } from 'vitest';
import { targetHealthOf } from './target-health.js';

const NOW = new Date('2030-01-31T12:00:00Z');
const ago = (minutes: number): Date => new Date(NOW.getTime() - minutes * 60_000);
const FINE = { nextCheckAt: ago(-1), failures: 0, stallNotifiedAt: null, waitingSince: null, phaseSince: ago(90) };

it.each<[string, Partial<typeof FINE> | { stallNotifiedAt: Date; waitingSince: Date }, string, Date | null]>([
  ['a target that is checked in time', {}, 'ok', null],
  ['one that is an hour late', { nextCheckAt: ago(60) }, 'ok', null],
  ['one that nobody checks', { nextCheckAt: ago(61), failures: 5 }, 'overdue', ago(61)],
  ['two failures in a row', { failures: 2 }, 'ok', null],
  ['three failures in a row', { failures: 3 }, 'failing', ago(90)],
  ['no progress', { stallNotifiedAt: ago(5), waitingSince: ago(2000) }, 'stalled', ago(2000)],
])('%s', (_, rest, state, at) => {
  expect(targetHealthOf({ ...FINE, ...rest }, NOW)).toEqual({ state, at });
});
