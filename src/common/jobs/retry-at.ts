const JITTER = 0.1;

/** How something that failed is tried again: after these delays, the last of which repeats, for so long and no longer. */
export interface RetryPlan {
  readonly delaysMs: readonly number[];
  /** From the first try; whatever would be later than this is not tried. */
  readonly withinMs: number;
}

/**
 * When to try again; null when it is time to give up. Pure.
 * @param failures in a row since `since`, the moment of the first try; at least 1
 * @param random from 0 to 1: up to a tenth is added to the delay, so that what failed together does not come back together
 */
export function retryAt(
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
