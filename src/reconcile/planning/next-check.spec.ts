import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { PHASES, type Phase } from '../../targets/pure.js';
import { nextCheck } from './next-check.js';

const NOW = new Date('2026-11-21T12:00:00Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The middle of the jitter. */
const EVEN = 0.5;
/** Times are whole milliseconds. */
const ROUNDING = 2;

/** Milliseconds until the next look; null for none. */
function delay(phase: Phase, repeats = 1, random = EVEN, notBefore: Date | null = null): number | null {
  const due = nextCheck(phase, repeats, NOW, notBefore, random);
  return due === null ? null : due.getTime() - NOW.getTime();
}

const phase = fc.constantFrom(...PHASES);
const drivable = phase.filter((one) => one !== 'disabled' && one !== 'incomplete');
const repeats = fc.integer({ min: 0, max: 1_000_000 });
const random = fc.double({ min: 0, max: 1, noNaN: true });
const moment = fc.integer({ min: -DAY, max: 3 * DAY }).map((ms) => new Date(NOW.getTime() + ms));

describe('when a target is checked again', () => {
  it.each<[sentence: string, phase: Phase, repeats: number, ms: number]>([
    ['an upload is looked at after 2 s', 'uploading', 1, 2 * SECOND],
    ['an upload’s second look follows after 3 s', 'uploading', 2, 3 * SECOND],
    ['an upload’s looks grow to 30 s', 'uploading', 8, 30 * SECOND],
    ['an upload’s looks stay at 30 s', 'uploading', 500, 30 * SECOND],
    ['a validation is looked at after 2 s', 'validating', 1, 2 * SECOND],
    ['a validation’s looks grow to 30 s', 'validating', 8, 30 * SECOND],
    ['a submission is looked at after 2 s', 'submitting', 1, 2 * SECOND],
    ['a submission’s looks grow to 30 s', 'submitting', 8, 30 * SECOND],
    ['a review is looked at after 10 min', 'in_review', 1, 10 * MINUTE],
    ['a review’s second look follows after 12.5 min', 'in_review', 2, 12.5 * MINUTE],
    ['a review’s looks grow to an hour', 'in_review', 10, HOUR],
    ['a review’s looks stay hourly for weeks', 'in_review', 1000, HOUR],
    ['an approved version is looked at like a review', 'approved', 1, 10 * MINUTE],
    ['an approved version’s looks grow to an hour', 'approved', 10, HOUR],
    ['a version that waits for another one is looked at like a review', 'queued', 1, 10 * MINUTE],
    ['a version that waits for another one is looked at hourly in the end', 'queued', 10, HOUR],
    ['a release at the store is looked at after a minute', 'releasing', 1, MINUTE],
    ['a release’s second look follows after 1.5 min', 'releasing', 2, 1.5 * MINUTE],
    ['a release at the store is looked at hourly in the end', 'releasing', 20, HOUR],
    ['a first failure is tried again after 30 s', 'backing_off', 1, 30 * SECOND],
    ['a second failure is tried again after a minute', 'backing_off', 2, MINUTE],
    ['a tenth failure is tried again after 4 h 16 min', 'backing_off', 10, 256 * MINUTE],
    ['an eleventh failure is tried again after 6 h', 'backing_off', 11, 6 * HOUR],
    ['failures never wait longer than 6 h', 'backing_off', 1_000_000, 6 * HOUR],
    ['a live target is looked at daily', 'live', 1, DAY],
    ['a live target stays at daily', 'live', 400, DAY],
    ['a target without a pin is looked at daily', 'idle', 1, DAY],
    ['a rejected version is looked at daily: a person may have acted', 'rejected', 1, DAY],
    ['a target that needs a person is looked at daily', 'action_required', 1, DAY],
    ['a target that was taken down is looked at daily', 'taken_down', 1, DAY],
  ])('%s', (_sentence, at, count, ms) => {
    expect(delay(at, count)).toBe(ms);
  });

  it.each<Phase>(['disabled', 'incomplete'])('never, while it is %s', (at) => {
    expect(delay(at)).toBeNull();
    expect(nextCheck(at, 5, NOW, new Date(NOW.getTime() + DAY), 1)).toBeNull();
  });

  it('not before the time that the store named, to the millisecond', () => {
    const named = new Date(NOW.getTime() + 7 * HOUR + 1);
    expect(nextCheck('backing_off', 1, NOW, named, EVEN)).toEqual(named);
  });

  it('by its own pace when the time that the store named comes sooner', () => {
    expect(delay('in_review', 1, EVEN, new Date(NOW.getTime() + MINUTE))).toBe(10 * MINUTE);
    expect(delay('in_review', 1, EVEN, new Date(NOW.getTime() - DAY))).toBe(10 * MINUTE);
  });

  it('spread over a tenth to either side', () => {
    expect(delay('live', 1, 0)).toBe((DAY * 9) / 10);
    expect(delay('live', 1, 1)).toBe((DAY * 11) / 10);
  });

  it('always, in the future, within a tenth of its pace', () => {
    fc.assert(
      fc.property(drivable, repeats, random, (at, count, chance) => {
        const ms = delay(at, count, chance);
        const even = delay(at, count) ?? Number.NaN;
        expect(ms).toBeGreaterThanOrEqual(0.9 * even - ROUNDING);
        expect(ms).toBeLessThanOrEqual(1.1 * even + ROUNDING);
        expect(ms).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });

  it('never sooner after more checks', () => {
    fc.assert(
      fc.property(drivable, repeats, random, (at, count, chance) => {
        expect(delay(at, count + 1, chance)).toBeGreaterThanOrEqual(delay(at, count, chance) ?? Number.NaN);
      }),
      { numRuns: 500 },
    );
  });

  it('never before the time that the store named, and never later because of one that has passed', () => {
    fc.assert(
      fc.property(drivable, repeats, random, moment, (at, count, chance, named) => {
        const own = nextCheck(at, count, NOW, null, chance)?.getTime() ?? Number.NaN;
        expect(nextCheck(at, count, NOW, named, chance)?.getTime()).toBe(Math.max(own, named.getTime()));
      }),
      { numRuns: 500 },
    );
  });
});
