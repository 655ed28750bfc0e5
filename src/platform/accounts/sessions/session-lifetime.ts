import { DAY_MS } from '../../../common/system/index.js';

/** Duration of a session after its last use. */
export const SESSION_IDLE_MS = 14 * DAY_MS;
/** Longest duration of a session, however much it is used. */
export const SESSION_MAX_MS = 90 * DAY_MS;

/** Returns the time at which a session ends unless it is used again. Pure. */
export const endOfSession = (createdAt: Date, usedAt: Date): Date =>
  new Date(Math.min(usedAt.getTime() + SESSION_IDLE_MS, createdAt.getTime() + SESSION_MAX_MS));

/**
 * Returns the new end of a session after a use. Pure.
 * @returns null when the end stays: to write less, only a use that gains more than a day, or reaches the latest possible end, moves it
 */
export function movedEnd(
  { createdAt, expiresAt }: { readonly createdAt: Date; readonly expiresAt: Date },
  usedAt: Date,
): Date | null {
  const end = endOfSession(createdAt, usedAt);
  const gained = end.getTime() - expiresAt.getTime();
  const isLast = end.getTime() === createdAt.getTime() + SESSION_MAX_MS;
  return gained > DAY_MS || (isLast && gained > 0) ? end : null;
}
