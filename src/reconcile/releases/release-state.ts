/** One version on its way to one target. */
export const RELEASE_STATES = [
  'queued',
  'uploading',
  'processing',
  'submitting',
  'in_review',
  'approved',
  'releasing',
  'live',
  'rejected',
  'failed',
  'superseded',
  'cancelled',
] as const;
export type ReleaseState = (typeof RELEASE_STATES)[number];

const ENDS = ['live', 'rejected', 'failed', 'superseded', 'cancelled'] as const;

/**
 * Transitions of a release. Steps go forward one by one; what a store shows may be further along (a person acted in its
 * dashboard, or a reply was lost), so every state beyond the present one can be reached. An upload may have to be made again, and a release
 * that finds another version in its way goes back to the start: that version may have replaced its draft.
 */
export const TRANSITIONS: Readonly<Record<ReleaseState, readonly ReleaseState[]>> = {
  queued: ['uploading', 'submitting', 'in_review', 'approved', 'releasing', ...ENDS],
  uploading: ['queued', 'processing', 'submitting', 'in_review', 'approved', 'releasing', ...ENDS],
  processing: ['queued', 'uploading', 'submitting', 'in_review', 'approved', 'releasing', ...ENDS],
  submitting: ['queued', 'uploading', 'in_review', 'approved', 'releasing', ...ENDS],
  in_review: ['approved', 'releasing', ...ENDS],
  approved: ['in_review', 'releasing', ...ENDS],
  releasing: ['in_review', 'approved', ...ENDS],
  // A store can take a version back, and a newer one replaces it.
  live: ['superseded'],
  // A person may submit it again, or the store may change its verdict.
  rejected: ['in_review', 'approved', 'releasing', 'live', 'superseded', 'cancelled'],
  failed: ['in_review', 'approved', 'releasing', 'live', 'superseded'],
  superseded: ['live'],
  cancelled: ['in_review', 'approved', 'releasing', 'live', 'rejected', 'superseded'],
};

export const canMove = (from: ReleaseState, to: ReleaseState): boolean => from === to || TRANSITIONS[from].includes(to);

/** The release ended without going live, and only a person starts it again. */
export const hasFailed = (state: ReleaseState): boolean =>
  state === 'rejected' || state === 'failed' || state === 'cancelled';

/** The release is over: a submission of it that a store shows later is not Pierhead's. */
export const hasEnded = (state: ReleaseState): boolean => (ENDS as readonly ReleaseState[]).includes(state);

/** The store has not taken its package. */
export const isBeforeUpload = (state: ReleaseState): boolean =>
  state === 'queued' || state === 'uploading' || state === 'superseded' || hasFailed(state);

/** It is on its way to the store. Whether it was submitted may not be known, if an answer was lost. */
export const isBeforeSubmission = (state: ReleaseState): boolean =>
  state === 'queued' || state === 'uploading' || state === 'processing' || state === 'submitting';

/** It was submitted, as far as is known. */
export const wasSubmitted = (state: ReleaseState): boolean =>
  state === 'in_review' ||
  state === 'approved' ||
  state === 'releasing' ||
  state === 'rejected' ||
  state === 'cancelled';
