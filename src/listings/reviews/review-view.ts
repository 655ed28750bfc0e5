import type { Store, StorePages } from '../../stores/index.js';
import { channelOrNull } from '../../targets/index.js';
import type { Review } from './reviews.dto.js';
import type { ReviewRow } from './store-reviews.repository.js';

/** Where a person answers a review. */
export const answerUrlOf = (row: ReviewRow, store: Store): string =>
  store.reviewPageOf({ ...row, channel: channelOrNull(row.channel) }, row.storeReviewId);

/** A review as the API shows it. */
export const toReview = (row: ReviewRow, store: Store, { listing }: StorePages): Review => ({
  id: row.id,
  extensionId: row.extensionId,
  targetId: row.targetId,
  store: row.store,
  stars: row.stars,
  title: row.title,
  text: row.text,
  author: row.author,
  version: row.version,
  territory: row.territory,
  writtenAt: row.writtenAt,
  createdAt: row.createdAt,
  editedAt: row.editedAt,
  readAt: row.readAt,
  answer: row.answer === null || row.answerState === null ? null : { text: row.answer, state: row.answerState },
  isAnswerable: store.capabilities.reviewAnswerMaxLength !== null,
  answerUrl: answerUrlOf(row, store),
  listingUrl: listing,
});
