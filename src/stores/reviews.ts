import { asText, redactText, truncate } from '../common/net/pure.js';
import { StoreFailure } from './failures/store-failure.js';

/** The most reviews of an item that are read and kept: the newest ones. */
export const MAX_REVIEWS = 1000;
/** The most pages of reviews, in case they form a loop. */
const MAX_PAGES = 50;

/** The author's public answer to a review. */
export interface ReviewAnswer {
  readonly text: string;
  /** `pending`: the store has it, and users do not see it yet. */
  readonly state: 'pending' | 'published';
}

/** What a user wrote about an item at a store. Texts are redacted and of limited length. */
export interface StoreReview {
  /** The store's id of the review. */
  readonly id: string;
  /** From 1 to 5. */
  readonly stars: number;
  readonly title: string | null;
  readonly text: string | null;
  /** The name under which the user wrote it. */
  readonly author: string | null;
  /** The version that it is about; null where the store does not say. */
  readonly version: string | null;
  /** Where it was written, as the store writes it; null where the store does not say. */
  readonly territory: string | null;
  readonly writtenAt: Date;
  /** Null for none, and where the store does not say. */
  readonly answer: ReviewAnswer | null;
}

/** The newest reviews of an item, at most `MAX_REVIEWS`. */
export interface ListedReviews {
  readonly reviews: readonly StoreReview[];
  /** The store lists no others. */
  readonly isComplete: boolean;
}

/** A page of reviews: what the store sent, and where the next one is; undefined on the last. */
export interface ReviewPage<Next> {
  readonly reviews: readonly (StoreReview | null)[];
  readonly next: Next | undefined;
}

const MAX = { id: 200, title: 500, text: 10_000, author: 200, version: 50, territory: 20 } as const;

/**
 * Reads the parts of a review from a store's JSON, whose values may be of any type. Pure.
 * @returns null without an id, stars from 1 to 5 and a time: such a review cannot be told from others or shown
 */
export function reviewFrom(
  json: Readonly<Record<Exclude<keyof StoreReview, 'answer'>, unknown>>,
  answer: { readonly text: unknown; readonly state: ReviewAnswer['state'] } | null = null,
): StoreReview | null {
  const id = typeof json.id === 'number' ? String(json.id) : textOf(json.id, MAX.id);
  const { stars } = json;
  const writtenAt = new Date(typeof json.writtenAt === 'string' ? json.writtenAt : Number.NaN);
  const isRated = typeof stars === 'number' && Number.isInteger(stars) && stars >= 1 && stars <= 5;
  if (id === null || !isRated || Number.isNaN(writtenAt.getTime())) return null;
  const answered = answer === null ? null : textOf(answer.text, MAX.text);
  return {
    id,
    stars,
    title: textOf(json.title, MAX.title),
    text: textOf(json.text, MAX.text),
    author: textOf(json.author, MAX.author),
    version: textOf(json.version, MAX.version),
    territory: textOf(json.territory, MAX.territory),
    writtenAt,
    answer: answer === null || answered === null ? null : { text: answered, state: answer.state },
  };
}

/**
 * Reads pages of reviews, newest first, until there are enough.
 * @param read reads the page at a place; undefined for the first
 * @throws StoreFailure `retry` when the pages do not end, or one has reviews of which none can be read
 */
export async function pagesOfReviews<Next>(
  storeTitle: string,
  read: (at: Next | undefined) => Promise<ReviewPage<Next>>,
): Promise<ListedReviews> {
  const found = new Map<string, StoreReview>();
  let at: Next | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { reviews, next } = await read(at);
    // Otherwise all would be taken for deleted, should a store send them in another form one day.
    if (reviews.length > 0 && reviews.every((review) => review === null))
      throw new StoreFailure('retry', `${storeTitle} sent reviews in a form that Pierhead does not know.`);
    for (const review of reviews) if (review !== null) found.set(review.id, found.get(review.id) ?? review);
    const isLast = next === undefined;
    if (isLast || found.size >= MAX_REVIEWS)
      return { reviews: [...found.values()].slice(0, MAX_REVIEWS), isComplete: isLast && found.size <= MAX_REVIEWS };
    at = next;
  }
  throw new StoreFailure('retry', `${storeTitle} sent an endless list of reviews.`);
}

function textOf(value: unknown, max: number): string | null {
  // What is cut off need not be looked at: a text can have any length.
  const text = asText(asText(value)?.slice(0, 2 * max + 2));
  return text === undefined ? null : truncate(redactText(text.trim()), max);
}
