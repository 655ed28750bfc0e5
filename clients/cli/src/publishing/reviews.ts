import { answer, everything, type Schema, type Service } from '../api/service.js';
import { storeName } from '../stores.js';
import { table } from '../terminal/table.js';
import type { Style } from '../terminal/style.js';
import { day } from '../terminal/words.js';

export type Review = Schema<'Review'>;

export interface ReviewNarrowing {
  readonly extension?: string;
  readonly store?: Review['store'];
  readonly maxStars?: number;
  readonly unread?: 'true';
  readonly answered?: 'false';
}

/** Reviews that fit, newest first: the first page, or all. */
export const listReviews = async ({ client }: Service, query: ReviewNarrowing, isAll: boolean): Promise<Review[]> => {
  if (isAll) return everything((page) => client.GET('/api/v1/reviews', { params: { query: { ...query, ...page } } }));
  return (await answer(client.GET('/api/v1/reviews', { params: { query } }))).items;
};

/** Stars as people draw them: `★★☆☆☆`. */
export const starsText = (stars: number): string => '★'.repeat(stars) + '☆'.repeat(5 - stars);

const ANSWERED: Readonly<Record<NonNullable<Review['answer']>['state'], string>> = {
  sending: 'answer not confirmed',
  withdrawing: 'answer being taken back',
  pending: 'answered, not public yet',
  published: 'answered',
};

/** What a review says, in one line. */
const saying = ({ title, text }: Review): string => [title, text].filter((part) => part !== null).join(': ') || '—';

/** One row for each review. */
export const reviewTable = (reviews: readonly Review[], style: Style, now: Date): string =>
  table(
    reviews.map((review) => [
      day(review.writtenAt, now),
      review.stars <= 2 ? style('yellow', starsText(review.stars)) : starsText(review.stars),
      `${storeName(review.store)}${review.version === null ? '' : ` ${review.version}`}`,
      review.author ?? '—',
      [
        ...(review.readAt === null ? [style('bold', 'unread')] : []),
        ...(review.answer === null ? [] : [ANSWERED[review.answer.state]]),
      ].join(', '),
      review.id,
      saying(review),
    ]),
    style,
    {
      heads: ['WRITTEN', 'STARS', 'AT', 'BY', '', 'ID', 'REVIEW'],
      whole: [0, 1, 5],
      dispensable: [3, 4, 2],
      endsInProse: true,
    },
  );
