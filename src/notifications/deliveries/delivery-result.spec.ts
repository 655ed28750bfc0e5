import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { resultOf } from './delivery-result.js';

const START = new Date('2030-01-01T00:00:00Z');
const HOUR = 3_600_000;
const later = (ms: number): Date => new Date(START.getTime() + ms);
const first = { failures: 0, since: START, isEnabled: true, isMoved: false };
const answer = (status: number, retryAfter: string | null = null) => ({ status, retryAfter, body: null });

describe("a webhook's delivery", () => {
  it.each([200, 201, 202, 204, 299])('succeeds with %i', (status) => {
    expect(resultOf(answer(status), first, START, 0)).toEqual({
      status: 'delivered',
      failures: 0,
      nextTryAt: null,
      lastStatus: status,
      lastError: null,
      isGone: false,
    });
  });

  it.each([
    [answer(301), 301, 'refused'],
    [answer(400), 400, 'refused'],
    [answer(401), 401, 'refused'],
    [answer(404), 404, 'refused'],
    [answer(500), 500, 'refused'],
    [answer(0), 0, 'refused'],
    ['timeout' as const, null, 'timeout'],
    ['network' as const, null, 'network'],
    ['refused_address' as const, null, 'refused_address'],
    ['sealed' as const, null, 'sealed'],
  ])('is retried five seconds after %j', (seen, lastStatus, lastError) => {
    expect(resultOf(seen, first, START, 0)).toEqual({
      status: 'waiting',
      failures: 1,
      nextTryAt: later(5000),
      lastStatus,
      lastError,
      isGone: false,
    });
  });

  it('ends with 410, which disables its endpoint', () => {
    expect(resultOf(answer(410), first, START, 0)).toMatchObject({ status: 'given_up', nextTryAt: null, isGone: true });
  });

  it('is retried at the new URL when the endpoint has moved from the one that is gone', () => {
    expect(resultOf(answer(410), { ...first, isMoved: true }, START, 0)).toMatchObject({
      status: 'waiting',
      nextTryAt: later(5000),
      isGone: false,
    });
  });

  it('is not retried when its endpoint was disabled in the meantime, but counts if it arrived', () => {
    expect(resultOf(answer(500), { ...first, isEnabled: false }, START, 0)).toMatchObject({
      status: 'given_up',
      isGone: false,
    });
    expect(resultOf(answer(200), { ...first, isEnabled: false }, START, 0).status).toBe('delivered');
  });

  it.each([
    ['60', later(60_000)],
    ['1', later(5000)],
    ['nonsense', later(5000)],
    [String(23 * 3600), later(23 * HOUR)],
  ])('waits as long as Retry-After %s asks', (retryAfter, at) => {
    expect(resultOf(answer(503, retryAfter), first, START, 0).nextTryAt).toEqual(at);
  });

  it('is given up when Retry-After is beyond the day', () => {
    const result = resultOf(answer(429, String(20 * 3600)), { ...first, failures: 3 }, later(5 * HOUR), 0);
    expect(result).toMatchObject({ status: 'given_up', nextTryAt: null });
  });

  it('that never succeeds is tried at least ten times within a day, and then given up', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (random) => {
        let now = START;
        for (let failures = 0; failures < 100; failures += 1) {
          const { status, nextTryAt } = resultOf('network', { ...first, failures }, now, random);
          if (nextTryAt === null) {
            expect(status).toBe('given_up');
            expect(failures).toBeGreaterThanOrEqual(10);
            expect(now.getTime()).toBeGreaterThan(later(18 * HOUR).getTime());
            return;
          }
          expect(nextTryAt.getTime()).toBeGreaterThan(now.getTime());
          expect(nextTryAt.getTime()).toBeLessThanOrEqual(later(24 * HOUR).getTime());
          now = nextTryAt;
        }
        throw new Error('It was never given up');
      }),
    );
  });
});
