import { parseRetryAfter } from '../common/net/index.js';
import { retryAt, type RetryPlan } from '../common/jobs/index.js';
import type { DeliveryStatus } from './delivery.entity.js';
import type { WebhookAnswer, WebhookFailure } from './webhooks/webhook-caller.js';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

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
  withinMs: 24 * HOUR_MS,
};

/** The receiver says that it never wants to hear of this again (Standard Webhooks). */
const GONE = 410;

/** The delivery and its endpoint at the moment of the answer. */
export interface Tried {
  /** Failures in a row before this one, since `since`. */
  readonly failures: number;
  readonly since: Date;
  readonly isEnabled: boolean;
}

/** What an attempt makes of a delivery. */
export interface Verdict {
  readonly status: DeliveryStatus;
  readonly failures: number;
  readonly nextTryAt: Date | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  /** The endpoint is to be switched off. */
  readonly isGone: boolean;
}

/**
 * Decides what an answer, or the lack of one, makes of a webhook's delivery. Any 2xx is success; 410 ends it and its endpoint; everything
 * else, redirects included, is tried again, no sooner than a `Retry-After` wants, for a day. Pure.
 * @param answer `sealed` when the secret could not be opened, so that no call was made
 */
export function judge(
  answer: WebhookAnswer | WebhookFailure | 'sealed',
  { failures: before, since, isEnabled }: Tried,
  now: Date,
  random: number,
): Verdict {
  const lastStatus = typeof answer === 'string' ? null : answer.status;
  if (lastStatus !== null && lastStatus >= 200 && lastStatus < 300)
    return { status: 'delivered', failures: 0, nextTryAt: null, lastStatus, lastError: null, isGone: false };
  const failures = before + 1;
  const isGone = lastStatus === GONE;
  const planned = isGone || !isEnabled ? null : retryAt(RETRIES, { failures, since }, now, random);
  const wished = typeof answer === 'string' ? undefined : parseRetryAfter(answer.retryAfter, now);
  const nextTryAt = planned === null ? null : laterOf(planned, wished, since);
  return {
    status: nextTryAt === null ? 'given_up' : 'waiting',
    failures,
    nextTryAt,
    lastStatus,
    lastError: typeof answer === 'string' ? answer : 'refused',
    isGone,
  };
}

function laterOf(planned: Date, wished: Date | undefined, since: Date): Date | null {
  if (wished === undefined || wished <= planned) return planned;
  return wished.getTime() - since.getTime() > RETRIES.withinMs ? null : wished;
}
