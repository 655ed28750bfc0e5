import { MAX_REVIEWS, type ListedReviews, type StoreReview } from '../../stores/pure.js';
import type { AnswerState } from './answer-state.js';

/** What a reading may change of a review. */
export interface ReviewState extends Omit<StoreReview, 'id' | 'answer'> {
  readonly editedAt: Date | null;
  readonly readAt: Date | null;
  readonly answer: string | null;
  readonly answerState: AnswerState | null;
  readonly answeredAt: Date | null;
  readonly vanishedAt: Date | null;
}

/** A review that is known already. */
export interface KnownReview extends ReviewState {
  readonly id: string;
  readonly storeReviewId: string;
}

/** How a reading went. */
export interface Reading {
  readonly startedAt: Date;
  /** Nothing was known of the item before. */
  readonly isFirst: boolean;
}

/** What follows from a reading. */
export interface ReviewChanges {
  readonly added: readonly (ReviewState & { readonly storeReviewId: string })[];
  readonly changed: readonly KnownReview[];
  /**
   * Ids of reviews that are forgotten: they are older than what is read, so whether they still stand cannot be known; or they vanished before as many
   * others as are read.
   */
  readonly forgotten: readonly string[];
  /** What somebody should look at: new reviews, and edited ones that were better before. */
  readonly low: readonly { readonly storeReviewId: string; readonly stars: number }[];
}

/** The most stars of a review that somebody should look at. */
export const LOW_STARS = 2;

/** Compares what a store lists with what is known of an item. Pure. */
export function changesOf(
  known: readonly KnownReview[],
  { reviews, isComplete }: ListedReviews,
  { startedAt, isFirst }: Reading,
): ReviewChanges {
  const before = new Map(known.map((one) => [one.storeReviewId, one]));
  const standing = known.filter(({ vanishedAt }) => vanishedAt === null);
  // A place among the newest became free for an older one.
  const newerThan = standing.length < MAX_REVIEWS ? Number.NEGATIVE_INFINITY : oldestOf(standing);
  const [added, changed, low]: [ReviewChanges['added'][number][], KnownReview[], ReviewChanges['low'][number][]] = [
    [],
    [],
    [],
  ];
  for (const review of reviews) {
    const { id: storeReviewId, stars } = review;
    const one = before.get(storeReviewId);
    const isNews = one === undefined ? !isFirst && review.writtenAt.getTime() > newerThan : one.stars > LOW_STARS;
    if (stars <= LOW_STARS && isNews) low.push({ storeReviewId, stars });
    if (one === undefined) added.push({ ...stateOf(review, null, startedAt), storeReviewId });
    else if (isDifferent(one, review, startedAt)) changed.push({ ...one, ...stateOf(review, one, startedAt) });
  }
  const listed = new Set(reviews.map(({ id }) => id));
  const gone = standing.filter(({ storeReviewId }) => !listed.has(storeReviewId));
  const isWithinReach = ({ writtenAt }: KnownReview): boolean => isComplete || writtenAt.getTime() > oldestOf(reviews);
  const vanishing = gone.filter(isWithinReach).map((one) => vanished(one, startedAt));
  const recognized = known.filter(({ vanishedAt, storeReviewId }) => vanishedAt !== null && !listed.has(storeReviewId));
  const crowd = [...vanishing, ...recognized.toSorted(byVanishing)].slice(MAX_REVIEWS);
  return {
    added,
    changed: [...changed, ...vanishing],
    forgotten: [...gone.filter((one) => !isWithinReach(one)), ...crowd].map(({ id }) => id),
    low,
  };
}

/** The last to vanish first. */
const byVanishing = (one: KnownReview, other: KnownReview): number => Number(other.vanishedAt) - Number(one.vanishedAt);

const oldestOf = (reviews: readonly { readonly writtenAt: Date }[]): number =>
  reviews.reduce((oldest, { writtenAt }) => Math.min(oldest, writtenAt.getTime()), Number.POSITIVE_INFINITY);

/** What a review is after a reading. One that is edited is unread again; one that comes back is as it was, but for its stars. */
function stateOf({ id: _id, answer, ...review }: StoreReview, one: KnownReview | null, startedAt: Date): ReviewState {
  const { editedAt, readAt, answeredAt } = one ?? NEW;
  const isEdited = one !== null && hasOtherContent(one, review);
  return {
    ...review,
    ...(one !== null && keepsAnswer(one, startedAt)
      ? { answer: one.answer, answerState: one.answerState }
      : { answer: answer?.text ?? null, answerState: answer?.state ?? null }),
    answeredAt,
    editedAt: isEdited ? startedAt : editedAt,
    readAt: isEdited ? null : readAt,
    vanishedAt: null,
  };
}

const NEW = { editedAt: null, readAt: null, answeredAt: null };

/** Of one that comes back, only the stars are still known. */
const hasOtherContent = (
  one: KnownReview,
  { stars, title, text }: Pick<StoreReview, 'stars' | 'title' | 'text'>,
): boolean => one.stars !== stars || (one.vanishedAt === null && (one.title !== title || one.text !== text));

/** Whether the answer was changed after the store was asked, so that what it told is out of date. */
const keepsAnswer = ({ answeredAt }: KnownReview, startedAt: Date): boolean =>
  answeredAt !== null && answeredAt >= startedAt;

function isDifferent(one: KnownReview, review: StoreReview, startedAt: Date): boolean {
  const next = stateOf(review, one, startedAt);
  return Object.entries(next).some(([name, value]) => {
    const had = one[name as keyof ReviewState];
    return had instanceof Date && value instanceof Date ? had.getTime() !== value.getTime() : had !== value;
  });
}

/** Without what a person wrote, and the answer to it. */
const vanished = (one: KnownReview, vanishedAt: Date): KnownReview => ({
  ...one,
  title: null,
  text: null,
  author: null,
  answer: null,
  answerState: null,
  vanishedAt,
});
