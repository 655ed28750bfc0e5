import { type Check, fields, integer, optional, required, text } from '../input.js';
import { invalid, pageOf } from './pages.js';

/** What a user wrote about an item. */
export interface UserReview {
  readonly id: string;
  /** From 1 to 5. */
  readonly rating: number;
  readonly comment?: string | undefined;
  readonly author?: string | undefined;
  /** As `2030-01-31T10:00:00Z`. */
  readonly createTime: string;
}

/** The part of an item that is about reviews. */
export interface ReviewsOfItem {
  readonly reviews: readonly UserReview[];
}

const SIZES = { usual: 50, most: 200 };

/** A review as the control plane writes it. */
export const userReview: Check<UserReview> = (value, what) => {
  const from = fields(value, what, ['id', 'rating', 'comment', 'author', 'createTime']);
  return {
    id: required(from, 'id', text),
    rating: required(from, 'rating', integer(1, 5)),
    comment: optional(from, 'comment', text),
    author: optional(from, 'author', text),
    createTime: required(from, 'createTime', text),
  };
};

/** Answers `fetchReviews`; proto JSON leaves empty texts out (src/stores/README.md#chrome-reviews). */
export function fetchReviews(itemName: string, { reviews }: ReviewsOfItem, { searchParams }: URL): unknown {
  const wanted = ratingIn(searchParams.get('filter') ?? '');
  const found = reviews.filter(({ rating }) => wanted === null || rating === wanted);
  const rows = ordered(found, searchParams.get('orderBy') ?? '').map(({ id, rating, comment, author, createTime }) => ({
    name: `reviews/${id}`,
    item: itemName,
    ...(author !== undefined && { authorInfo: { displayName: author } }),
    rating,
    ...(comment !== undefined && { comment }),
    createTime,
  }));
  return pageOf(searchParams, 'reviews', rows, SIZES);
}

/** Only an equality of the rating can be asked for. */
function ratingIn(filter: string): number | null {
  if (filter.trim() === '') return null;
  const stars = /^\s*rating\s*=\s*([1-5])\s*$/.exec(filter)?.[1];
  if (stars === undefined) throw invalid(`Unsupported filter: ${filter}.`);
  return Number(stars);
}

/** `rating` goes both ways, `createTime` only down, which must be written. */
function ordered(reviews: readonly UserReview[], orderBy: string): readonly UserReview[] {
  const keys = orderBy.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim().split(/\s+/)]));
  const comparisons = keys.map(([field, direction = 'asc', ...more]) => {
    const isKnown =
      field === 'rating' ? /^(asc|desc)$/.test(direction) : field === 'createTime' && direction === 'desc';
    if (!isKnown || more.length > 0) throw invalid(`Unsupported order_by: ${orderBy}.`);
    const sign = direction === 'desc' ? -1 : 1;
    return (one: UserReview, other: UserReview): number =>
      sign * (field === 'rating' ? one.rating - other.rating : one.createTime.localeCompare(other.createTime));
  });
  return reviews.toSorted((one, other) => {
    for (const compare of comparisons) if (compare(one, other) !== 0) return compare(one, other);
    return 0;
  });
}
