import { describe, expect, it } from 'vitest';
import type { Phase } from './phase.js';
import { platformStatusOf, withPlatformStatus, type PlatformFields } from './platform-status.js';

const SOON = new Date('2026-11-21T12:00:00Z');
const LATER = new Date('2026-11-21T13:00:00Z');
const standing = (phase: Phase, more: Partial<PlatformFields> = {}): PlatformFields => ({
  phase,
  message: `It is ${phase}.`,
  liveVersion: null,
  submittedVersion: null,
  offeredPercent: null,
  offeredSince: null,
  liveByPierhead: false,
  failures: 0,
  checksInPhase: 1,
  nextCheckAt: LATER,
  ...more,
});
const fresh = { ...standing('idle'), id: 'target', platforms: ['macos', 'ios'], platformStatuses: {} };
const both = (macos: PlatformFields, ios: PlatformFields) =>
  withPlatformStatus(withPlatformStatus(fresh, 'macos', macos), 'ios', ios);

describe('a target of two platforms', () => {
  it.each<[Phase, Phase, Phase]>([
    ['live', 'live', 'live'],
    ['live', 'in_review', 'in_review'],
    ['queued', 'approved', 'queued'],
    ['rejected', 'live', 'rejected'],
    ['backing_off', 'in_review', 'backing_off'],
    ['action_required', 'rejected', 'rejected'],
  ])('that are %s and %s is %s, in either order', (one, other, whole) => {
    expect(both(standing(one), standing(other)).phase).toBe(whole);
    expect(both(standing(other), standing(one)).phase).toBe(whole);
  });

  it.each<[string | null, string | null, string | null]>([
    ['1.2', '1.10', '1.2'],
    ['1.2', null, null],
    [null, null, null],
  ])('with %s and %s live has %s live', (one, other, whole) => {
    expect(both(standing('live', { liveVersion: one }), standing('live', { liveVersion: other })).liveVersion).toBe(
      whole,
    );
  });

  it.each<[one: string, other: string, share: number | null]>([
    ['2.0', '2.0', 10],
    ['2.0', '1.9', null],
    ['1.9', '2.0', 10],
  ])('with %s offered to a tenth and %s to all goes to %s', (one, other, offeredPercent) => {
    const partly = standing('live', { liveVersion: one, offeredPercent: 10, offeredSince: SOON, liveByPierhead: true });
    expect(both(partly, standing('live', { liveVersion: other }))).toMatchObject({
      offeredPercent,
      offeredSince: offeredPercent === null ? null : SOON,
      liveByPierhead: offeredPercent !== null,
    });
  });

  it('is checked when the first of them is due', () => {
    expect(both(standing('in_review'), standing('queued', { nextCheckAt: SOON })).nextCheckAt).toEqual(SOON);
    expect(both(standing('in_review', { nextCheckAt: null }), standing('queued')).nextCheckAt).toEqual(LATER);
  });

  it('shows the message of each, and once what is the same for both', () => {
    expect(both(standing('live'), standing('queued')).message).toBe('macos: It is live. ios: It is queued.');
    expect(both(standing('live'), standing('live')).message).toBe('It is live.');
  });

  it('returns each platform as it was', () => {
    const macos = standing('in_review', { submittedVersion: '1.1', failures: 2, nextCheckAt: SOON });
    const whole = both(macos, standing('live', { liveVersion: '1.1' }));
    expect(platformStatusOf(whole, 'macos')).toMatchObject(macos);
    expect(platformStatusOf(whole, 'ios')).toMatchObject({ phase: 'live', liveVersion: '1.1', failures: 0 });
    expect(platformStatusOf(fresh, 'macos')).toBe(fresh);
  });
});
