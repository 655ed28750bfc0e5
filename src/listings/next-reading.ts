import { HOUR_MS, MINUTE_MS } from '../common/system/index.js';
import type { StoreFailure } from '../stores/pure.js';

/** Less than a day, so that each UTC day is read at least once. */
export const DAILY_MS = 23 * HOUR_MS;
const RETRY_AFTER_MS = HOUR_MS;
/** A store that names this moment, or one that has passed, would be asked again and again. */
const LEAST_MS = MINUTE_MS;
/** A person must change something before the store answers. */
const REFUSED_AFTER_MS = 6 * HOUR_MS;

/**
 * When an item is read next, and why parts of it could not be read; the part that can be read first decides. Pure.
 * @param everyMs how long after a reading without failures the next one follows
 */
export function afterReading(
  failures: readonly StoreFailure[],
  now: Date,
  everyMs: number,
): { readonly dueAt: Date; readonly failure: string | null } {
  if (failures.length === 0) return { dueAt: new Date(now.getTime() + everyMs), failure: null };
  const times = failures.map((failure) => nextReadingAt(failure, now).getTime());
  const messages = new Set(failures.map(({ message }) => message));
  return { dueAt: new Date(Math.min(...times)), failure: [...messages].join(' ') };
}

/**
 * When an item is read again that could not be read. Pure.
 * @param result a store's failure, or `fault` for one of our own
 */
export function nextReadingAt(result: 'fault' | Pick<StoreFailure, 'kind' | 'details'>, now: Date): Date {
  const after = (ms: number): Date => new Date(now.getTime() + ms);
  if (result === 'fault') return after(RETRY_AFTER_MS);
  const { kind, details } = result;
  if (kind === 'retry' || kind === 'wait') {
    const { retryAt = after(RETRY_AFTER_MS) } = details;
    return retryAt < after(LEAST_MS) ? after(LEAST_MS) : retryAt;
  }
  return after(REFUSED_AFTER_MS);
}
