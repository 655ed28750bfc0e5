import type { Need } from './need.js';

/** A need as it was when it was snoozed, and until when. */
export interface Snooze {
  readonly until: Date;
  /** When it was snoozed. */
  readonly since: Date;
  readonly count: number;
  readonly at: Date | null;
  readonly message: string | null;
}

/**
 * Whether a snoozed need stays hidden. It comes back at its time, and earlier once it is about more things, began anew, or the store asks for
 * something else; a need that became another one, such as a key that has expired, was never snoozed. Pure.
 */
export function isSnoozed(need: Pick<Need, 'count' | 'at' | 'message' | 'turn'>, snooze: Snooze, now: Date): boolean {
  if (now >= snooze.until) return false;
  // Fewer of the same, and not as many that came since.
  if (need.count !== snooze.count) return need.count < snooze.count && (need.at === null || need.at <= snooze.since);
  // What a store says while Pierhead keeps asking it changes with each failure.
  const isSaidAgain = need.turn === 'store' || need.message === snooze.message;
  return isSaidAgain && need.at?.getTime() === snooze.at?.getTime();
}
