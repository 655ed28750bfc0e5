import { asText } from '../../common/net/index.js';
import { StoreFailure } from '../failures/index.js';
import type { Page } from './safari.documents.js';

/** The states of open review submissions (src/stores/README.md#safari-states). */
export const OPEN_STATES = [
  'READY_FOR_REVIEW',
  'WAITING_FOR_REVIEW',
  'IN_REVIEW',
  'UNRESOLVED_ISSUES',
  'CANCELING',
  'COMPLETING',
] as const;

/** An open review submission. */
export interface Review {
  readonly id: string;
  readonly state: string | undefined;
  /** The app version in it; null when it contains none. */
  readonly versionId: string | null;
}

/** An item of a review submission. */
export interface ReviewItem {
  readonly id: string;
  readonly state: string | undefined;
  /** Null when the item is not an app version. */
  readonly versionId: string | null;
}

/** Reads review submissions that were requested with `include=appStoreVersionForReview`. */
export function reviewsOf({ data }: Page): Review[] {
  return data
    .filter(({ type }) => type === 'reviewSubmissions')
    .map(({ id, attributes, related }) => ({
      id,
      state: asText(attributes['state']),
      versionId: related('appStoreVersionForReview') ?? null,
    }));
}

/** Reads items of a review submission that were requested with `include=appStoreVersion`. */
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
 * The open review submission to use for a version: the one that contains it, or an unsent one; null when one must be created. Pure.
 * `READY_FOR_REVIEW` means not sent yet (src/stores/README.md#safari-states).
 * @throws StoreFailure `wait` while another submission blocks the version
 */
export function usableReview(open: readonly Review[], versionId: string): Review | null {
  const own = open.find((one) => one.versionId === versionId);
  const ending = open.find(({ state }) => state === 'CANCELING' || state === 'COMPLETING');
  if (ending !== undefined) throw new StoreFailure('wait', 'App Store Connect is still closing an earlier submission.');
  if (own !== undefined) return own;
  // A submission without a version does not block that of a version.
  const other = open.find((one) => one.versionId !== null && (isSent(one) || one.state === 'UNRESOLVED_ISSUES'));
  if (other !== undefined)
    throw new StoreFailure('wait', 'Another version of this platform is in an open review submission.');
  return open.find(({ state }) => state === 'READY_FOR_REVIEW') ?? null;
}

/** The item of a version in a submission; App Store Connect keeps listing items that were removed. */
export const itemOf = (items: readonly ReviewItem[], versionId: string): ReviewItem | undefined =>
  items.find((item) => item.versionId === versionId && item.state !== 'REMOVED');

/** @throws StoreFailure `config` when the submission contains other items, which Pierhead must not submit */
export function assertOurs(items: readonly ReviewItem[], versionId: string): void {
  if (items.some((item) => item.versionId !== versionId && item.state !== 'REMOVED'))
    throw new StoreFailure(
      'config',
      'A review submission in App Store Connect contains other items. Submit it there, or remove them.',
    );
}
