import { describe, expect, it } from 'vitest';
import { parseRetryAfter } from './retry-after.js';

const NOW = new Date('2026-11-21T12:00:00Z');

describe('Retry-After', () => {
  it.each([
    ['0', '2026-11-21T12:00:00.000Z'],
    ['90', '2026-11-21T12:01:30.000Z'],
    [' 90 ', '2026-11-21T12:01:30.000Z'],
    ['Sat, 21 Nov 2026 12:05:00 GMT', '2026-11-21T12:05:00.000Z'],
    ['Saturday, 21-Nov-26 12:05:00 GMT', '2026-11-21T12:05:00.000Z'],
  ])('%s names %s', (header, moment) => {
    expect(parseRetryAfter(header, NOW)?.toISOString()).toBe(moment);
  });

  it.each(['86401', '99999999999999999999999', 'Sun, 21 Nov 2027 12:00:00 GMT'])('%s is cut to a day', (header) => {
    expect(parseRetryAfter(header, NOW)?.toISOString()).toBe('2026-11-22T12:00:00.000Z');
  });

  it('never names a moment that has passed', () => {
    expect(parseRetryAfter('Sat, 21 Nov 2026 11:00:00 GMT', NOW)).toEqual(NOW);
  });

  it.each([null, undefined, '', 'soon', '-1', '1.5', '1e3', '0x10', '2026-11-21', 'Sat, 99 Xyz 2026 12:05:00 GMT'])(
    '%s names no moment',
    (header) => {
      expect(parseRetryAfter(header, NOW)).toBeUndefined();
    },
  );
});
