import { describe, expect, it } from 'vitest';
import { PHASES, type Phase } from '../../targets/pure.js';
import { progressOf, type Progress } from './stall.js';

const NOW = new Date('2026-11-21T12:00:00Z');
const HOUR = 3_600_000;
const hoursAgo = (hours: number): Date => new Date(NOW.getTime() - hours * HOUR);
const progress = (before: Progress, phase: Phase, paused = false) =>
  progressOf(before, { phase, paused }, NOW, 24 * HOUR);

const FRESH: Progress = { waitingSince: null, stallNotifiedAt: null };
const UNDER_WAY = ['queued', 'uploading', 'validating', 'submitting', 'releasing', 'backing_off'] as const;

describe('the progress of a target', () => {
  it.each(UNDER_WAY)('counts from the first check that finds it %s', (phase) => {
    const stallsAt = new Date(NOW.getTime() + 24 * HOUR);
    expect(progress(FRESH, phase)).toEqual({ waitingSince: NOW, stallNotifiedAt: null, hasStalled: false, stallsAt });
  });

  it.each(PHASES.filter((phase) => !UNDER_WAY.some((one) => one === phase)))(
    'is not expected while it is %s',
    (phase) => {
      const before = { waitingSince: hoursAgo(30), stallNotifiedAt: hoursAgo(6) };
      expect(progress(before, phase)).toEqual({ ...FRESH, hasStalled: false, stallsAt: undefined });
    },
  );

  it('may be missing for a day, and is then reported once', () => {
    const waitingSince = hoursAgo(23.9);
    expect(progress({ waitingSince, stallNotifiedAt: null }, 'uploading')).toMatchObject({
      waitingSince,
      hasStalled: false,
    });
    const late = { waitingSince: hoursAgo(24), stallNotifiedAt: null };
    expect(progress(late, 'queued')).toMatchObject({ ...late, stallNotifiedAt: NOW, hasStalled: true });
    const reported = { waitingSince: hoursAgo(99), stallNotifiedAt: hoursAgo(75) };
    expect(progress(reported, 'backing_off')).toEqual({ ...reported, hasStalled: false, stallsAt: undefined });
  });

  it('does not count while the target is paused', () => {
    expect(progress({ waitingSince: hoursAgo(99), stallNotifiedAt: null }, 'queued', true)).toMatchObject(FRESH);
  });
});
