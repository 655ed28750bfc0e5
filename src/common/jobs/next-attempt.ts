const JITTER = 0.1;

/** When a failed attempt is repeated: after each of these delays in turn, then after the last one again and again, for a limited time. */
export interface RetryPlan {
  readonly delaysMs: readonly number[];
  /** Counted from the first attempt; no attempt is made later. */
  readonly withinMs: number;
}

/**
 * When to make the next attempt; null when it is time to give up. Pure.
 * @param failures in a row since `since`, the time of the first attempt; at least 1
 * @param random from 0 to 1: adds up to a tenth to the delay, so that what failed together is not repeated together
 */
export function nextAttemptAt(
  plan: RetryPlan,
  { failures, since }: { readonly failures: number; readonly since: Date },
  now: Date,
  random: number,
): Date | null {
  const delay = plan.delaysMs[Math.min(failures, plan.delaysMs.length) - 1];
  if (delay === undefined) return null;
  const at = now.getTime() + Math.round(delay * (1 + JITTER * random));
  return at - since.getTime() > plan.withinMs ? null : new Date(at);
}
