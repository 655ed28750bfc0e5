import { DAY_MS } from '../../common/system/index.js';

/** How long a session lasts after its last use. */
export const SESSION_IDLE_MS = 14 * DAY_MS;
/** How long a session lasts at most, however much it is used. */
export const SESSION_MAX_MS = 90 * DAY_MS;

/** Returns when a session ends unless it is used again. Pure. */
export const endOfSession = (createdAt: Date, usedAt: Date): Date =>
  new Date(Math.min(usedAt.getTime() + SESSION_IDLE_MS, createdAt.getTime() + SESSION_MAX_MS));

/**
 * Returns the end to which a use moves that of a session. Pure.
 * @returns null when it stays: not every use is written, only one that gains more than a day or the session's last hours
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
