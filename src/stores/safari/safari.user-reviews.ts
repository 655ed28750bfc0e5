import { reviewFrom, type ReviewAnswer, type ReviewPage } from '../reviews.js';
import { pageOf, type Resource } from './safari.documents.js';

/** The most characters of an answer (src/stores/README.md#safari-reviews). */
export const SAFARI_MAX_ANSWER = 5970;

/** Reads a page of `customerReviews` that was requested with `include=response` (src/stores/README.md#safari-reviews). Pure. */
export function reviewPageFrom(json: unknown): ReviewPage<string> {
  const { data, included, next } = pageOf(json);
  const answers = new Map(included.filter(({ type }) => type === ANSWER).map((one) => [one.id, one]));
  return {
    reviews: data.map(({ id, attributes, related }) => {
      const answer = answers.get(related('response') ?? '');
      return reviewFrom(
        {
          id,
          stars: attributes['rating'],
          title: attributes['title'],
          text: attributes['body'],
          author: attributes['reviewerNickname'],
          version: null,
          territory: attributes['territory'],
          writtenAt: attributes['createdDate'],
        },
        answer === undefined ? null : { text: answer.attributes['responseBody'], state: stateOf(answer) },
      );
    }),
    next,
  };
}

export const ANSWER = 'customerReviewResponses';

/** `PENDING_PUBLISH` or `PUBLISHED`; any other state is not seen by users for certain. */
export const stateOf = ({ attributes }: Resource): ReviewAnswer['state'] =>
  attributes['state'] === 'PUBLISHED' ? 'published' : 'pending';
