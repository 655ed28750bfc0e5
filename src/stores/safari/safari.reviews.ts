import { asText } from '../../common/net/index.js';
import { StoreFailure } from '../store-failure.js';
import type { Page } from './safari.documents.js';

/** `reviewSubmissions.state` of those that are not over (docs/stores.md#safari-states). */
export const OPEN_STATES = [
  'READY_FOR_REVIEW',
  'WAITING_FOR_REVIEW',
  'IN_REVIEW',
  'UNRESOLVED_ISSUES',
  'CANCELING',
  'COMPLETING',
] as const;

/** A review submission that is not over. */
export interface Review {
  readonly id: string;
  readonly state: string | undefined;
  /** The app version in it; null when it holds only other things, or none. */
  readonly versionId: string | null;
}

/** One thing in a review submission. */
export interface ReviewItem {
  readonly id: string;
  readonly state: string | undefined;
  /** Null for what is no app version. */
  readonly versionId: string | null;
}

/** Reads review submissions, asked for with `include=appStoreVersionForReview`. */
export function reviewsOf({ data }: Page): Review[] {
  return data
    .filter(({ type }) => type === 'reviewSubmissions')
    .map(({ id, attributes, related }) => ({
      id,
      state: asText(attributes['state']),
      versionId: related('appStoreVersionForReview') ?? null,
    }));
}

/** Reads the items of a review submission, asked for with `include=appStoreVersion`. */
export function reviewItemsOf({ data }: Page): ReviewItem[] {
  return data
    .filter(({ type }) => type === 'reviewSubmissionItems')
    .map(({ id, attributes, related }) => ({
      id,
      state: asText(attributes['state']),
      versionId: related('appStoreVersion') ?? null,
    }));
}

export const isSent = ({ state }: Review): boolean => state === 'WAITING_FOR_REVIEW' || state === 'IN_REVIEW';

/**
 * The open review submission to use for a version: the one it is in, or one that was not sent; null when one has to be made. Pure.
 * `READY_FOR_REVIEW` is not submitted, in spite of its name (docs/stores.md#safari-states).
 * @throws StoreFailure `wait` while another one stands in the way
 */
export function usableReview(open: readonly Review[], versionId: string): Review | null {
  const own = open.find((one) => one.versionId === versionId);
  const ending = open.find(({ state }) => state === 'CANCELING' || state === 'COMPLETING');
  if (ending !== undefined) throw new StoreFailure('wait', 'App Store Connect is still ending an earlier submission.');
  if (own !== undefined) return own;
  // A submission of other things only may go on beside that of a version.
  const other = open.find((one) => one.versionId !== null && (isSent(one) || one.state === 'UNRESOLVED_ISSUES'));
  if (other !== undefined)
    throw new StoreFailure('wait', 'Another version of this platform is in an open review submission.');
  return open.find(({ state }) => state === 'READY_FOR_REVIEW') ?? null;
}

/** @throws StoreFailure `config` when somebody put other things into the submission, which are not Pierhead's to send */
export function assertOurs(items: readonly ReviewItem[], versionId: string): void {
  if (items.some((item) => item.versionId !== versionId && item.state !== 'REMOVED'))
    throw new StoreFailure(
      'config',
      'A review submission that was prepared in App Store Connect holds other items: submit it there, or remove them.',
    );
}
