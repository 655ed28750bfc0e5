import { describe, expect, it } from 'vitest';
import { StoreFailure } from '../stores/pure.js';
import { afterReading, DAILY_MS, nextReadingAt } from './next-reading.js';

const NOW = new Date('2026-11-20T12:00:00Z');
const RETRY_AT = new Date('2026-11-20T12:05:40Z');

describe('nextReadingAt', () => {
  it.each([
    ['after a fault of our own', 'fault', '2026-11-20T13:00:00.000Z'],
    ['after a failure that may pass', { kind: 'retry', details: {} }, '2026-11-20T13:00:00.000Z'],
    ['at the time that the store names', { kind: 'wait', details: { retryAt: RETRY_AT } }, RETRY_AT.toISOString()],
    ['no sooner than in a minute', { kind: 'retry', details: { retryAt: NOW } }, '2026-11-20T12:01:00.000Z'],
    ['when a person must act', { kind: 'credential', details: {} }, '2026-11-20T18:00:00.000Z'],
    ['when the item is wrong', { kind: 'config', details: {} }, '2026-11-20T18:00:00.000Z'],
  ] as const)('%s', (_, result, at) => {
    expect(nextReadingAt(result, NOW).toISOString()).toBe(at);
  });
});

it('leaves no UTC day without a reading', () => {
  expect(DAILY_MS).toBeLessThan(24 * 3_600_000);
});

describe('afterReading', () => {
  const refused = new StoreFailure('config', 'The key may not.');
  const away = new StoreFailure('retry', 'It is away.');

  it.each([
    ['no failure', [], '2026-11-21T11:00:00.000Z', null],
    ['a failure', [refused], '2026-11-20T18:00:00.000Z', 'The key may not.'],
    ['two, of which one passes earlier', [refused, away], '2026-11-20T13:00:00.000Z', 'The key may not. It is away.'],
    ['the same twice', [away, away], '2026-11-20T13:00:00.000Z', 'It is away.'],
  ])('%s', (_, failures, dueAt, failure) => {
    expect(afterReading(failures, NOW, DAILY_MS)).toEqual({ dueAt: new Date(dueAt), failure });
  });
});
