import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { endOfSession, movedEnd } from './session-lifetime.js';

const DAY = 24 * 60 * 60 * 1000;
const day = (days: number): Date => new Date(Date.UTC(2026, 0, 1) + Math.round(days * DAY));
const CREATED = day(0);

describe('a session', () => {
  it.each([
    ['new', 0, 14],
    ['used on day 10', 10, 24],
    ['used on day 76', 76, 90],
    ['used on day 80', 80, 90],
    ['used on day 90', 90, 90],
  ])('that is %s ends 14 days later, and on day 90 at the latest', (_, used, end) => {
    expect(endOfSession(CREATED, day(used))).toEqual(day(end));
  });

  it.each<[number, number, number | null]>([
    [0.5, 14, null],
    [1, 14, null],
    [1.5, 14, 15.5],
    [13.9, 14, 27.9],
    [75.5, 89, null],
    [76, 89.5, 90],
    [89, 90, null],
    // Sessions that were extended before there was a last day end where they were to end.
    [95, 100, null],
  ])('used on day %d, which was to end on day %d, gets the end %d', (used, end, moved) => {
    expect(movedEnd({ createdAt: CREATED, expiresAt: day(end) }, day(used))).toEqual(
      moved === null ? null : day(moved),
    );
  });

  it('never lasts longer than 90 days, nor ends earlier for being used', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 13, noNaN: true }), { maxLength: 40 }), (pauses) => {
        let [used, expiresAt] = [CREATED, endOfSession(CREATED, CREATED)];
        for (const pause of pauses) {
          used = new Date(used.getTime() + pause * DAY);
          const moved = movedEnd({ createdAt: CREATED, expiresAt }, used) ?? expiresAt;
          expect(moved.getTime()).toBeGreaterThanOrEqual(expiresAt.getTime());
          expect(moved.getTime()).toBeLessThanOrEqual(day(90).getTime());
          expiresAt = moved;
        }
      }),
    );
  });
});
