import { HOUR_MS, MINUTE_MS, SECOND_MS, DAY_MS } from '../../common/system/index.js';
import { parseRetryAfter } from '../../common/net/pure.js';
import { nextAttemptAt, type RetryPlan } from '../../common/jobs/pure.js';
import type { DeliveryStatus } from './delivery.entity.js';
import type { WebhookAnswer, WebhookFailure } from '../outgoing-webhooks/index.js';

const RETRIES: RetryPlan = {
  delaysMs: [
    5 * SECOND_MS,
    30 * SECOND_MS,
    2 * MINUTE_MS,
    10 * MINUTE_MS,
    30 * MINUTE_MS,
    HOUR_MS,
    2 * HOUR_MS,
    4 * HOUR_MS,
  ],
  withinMs: DAY_MS,
};

/** The status by which a receiver asks for no more calls (Standard Webhooks). */
const GONE = 410;

/** Outcome of a call; `sealed` when the secret could not be opened, so that no call was made. */
export type CallOutcome = WebhookAnswer | WebhookFailure | 'sealed';

/** The attempts before this one, and the endpoint as it is now. */
export interface Attempts {
  /** In a row, since `since`. */
  readonly failures: number;
  readonly since: Date;
  readonly isEnabled: boolean;
  /** Whether the endpoint has another URL by now than the one that was called. */
  readonly isMoved: boolean;
}

/** Columns that an attempt changes on its delivery. */
export interface DeliveryResult {
  readonly status: DeliveryStatus;
  readonly failures: number;
  readonly nextTryAt: Date | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  /** Whether the endpoint must be disabled. */
  readonly isGone: boolean;
}

/**
 * Decides what the outcome of a call changes on the delivery. Any 2xx is success. 410 ends the delivery and disables the endpoint, unless the
 * endpoint has another URL by now. Any other outcome, redirects included, is tried again for a day, no sooner than `Retry-After` asks. Pure.
 */
export function resultOf(
  outcome: CallOutcome,
  { failures: before, since, isEnabled, isMoved }: Attempts,
  now: Date,
  random: number,
): DeliveryResult {
  const lastStatus = typeof outcome === 'string' ? null : outcome.status;
  if (isSuccess(outcome))
    return { status: 'delivered', failures: 0, nextTryAt: null, lastStatus, lastError: null, isGone: false };
  const failures = before + 1;
  const hasLeft = isGone(outcome) && !isMoved;
  const planned = hasLeft || !isEnabled ? null : nextAttemptAt(RETRIES, { failures, since }, now, random);
  const asked = typeof outcome === 'string' ? undefined : parseRetryAfter(outcome.retryAfter, now);
  const nextTryAt = planned === null ? null : laterOf(planned, asked, since);
  return {
    status: nextTryAt === null ? 'given_up' : 'waiting',
    failures,
    nextTryAt,
    lastStatus,
    lastError: typeof outcome === 'string' ? outcome : 'refused',
    isGone: hasLeft,
  };
}

/** Whether the receiver asks for no more calls. Pure. */
export const isGone = (outcome: CallOutcome): boolean => typeof outcome !== 'string' && outcome.status === GONE;

/** Whether the receiver took the webhook. Pure. */
const isSuccess = (outcome: CallOutcome): boolean =>
  typeof outcome !== 'string' && outcome.status >= 200 && outcome.status < 300;

function laterOf(planned: Date, asked: Date | undefined, since: Date): Date | null {
  if (asked === undefined || asked <= planned) return planned;
  return asked.getTime() - since.getTime() > RETRIES.withinMs ? null : asked;
}
