import { type Item, isClosed, type StoredPackage, type SubmittedState } from './item.js';

/**
 * The item with a package live. A closed submission is removed, an open one continues
 * (src/stores/README.md#chrome-status).
 */
export function goLive(item: Item, live: StoredPackage, deployPercentage: number, now: Date): Item {
  return {
    ...item,
    published: { package: live, deployPercentage, publishedAt: now },
    history: [...item.history, live],
    submitted: isClosed(item) ? item.submitted : null,
  };
}

/** Ends the open submission by making its package live. */
export function publishSubmission(item: Item, now: Date, deployPercentage?: number): Item {
  const { submitted } = item;
  if (!submitted) return item;
  return goLive({ ...item, submitted: null }, submitted.package, deployPercentage ?? submitted.deployPercentage, now);
}

/**
 * Approves the submission: a default publish goes live, a staged one waits for its release
 * (src/stores/README.md#chrome-publish).
 */
export function approve(item: Item, now: Date): Item {
  const { submitted } = item;
  if (submitted?.state !== 'PENDING_REVIEW') return item;
  if (submitted.publishType === 'STAGED_PUBLISH') return { ...item, submitted: { ...submitted, state: 'STAGED' } };
  return publishSubmission(item, now);
}

/**
 * Ends the open submission without publishing. Its package is the draft again, as in the dashboard, unless a newer one
 * was uploaded meanwhile (inferred).
 */
export function closeSubmission(item: Item, state: SubmittedState): Item {
  const { submitted } = item;
  if (!submitted) return item;
  return { ...item, submitted: { ...submitted, state }, draft: item.draft ?? submitted.package };
}

/** Approves the submission if its review is due to end. */
export function applyDue(item: Item, now: Date): Item {
  const { submitted, approveAfterSeconds } = item;
  if (submitted?.state !== 'PENDING_REVIEW' || approveAfterSeconds === null) return item;
  const due = submitted.submittedAt.getTime() + approveAfterSeconds * 1000;
  return now.getTime() >= due ? approve(item, now) : item;
}

/** Counts a fetchStatus call for a review that ends after a number of calls. */
export function passReviewPoll(item: Item, now: Date): Item {
  const { submitted, approveAfterPolls } = item;
  if (submitted?.state !== 'PENDING_REVIEW') return item;
  if (approveAfterPolls !== null && submitted.polls >= approveAfterPolls) return approve(item, now);
  return { ...item, submitted: { ...submitted, polls: submitted.polls + 1 } };
}
