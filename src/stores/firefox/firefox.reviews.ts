import { asList, asNumber, asRecord, asText } from '../../common/net/pure.js';
import { reviewFrom, type ReviewPage } from '../reviews.js';

/** Reads a page of ratings (src/stores/README.md#firefox-reviews). Pure. @param page its number */
export function reviewPageFrom(json: Readonly<Record<string, unknown>>, page: number): ReviewPage<number> {
  return {
    reviews: asList(json['results'])
      .map(asRecord)
      .map((rating) => {
        const reply = asRecord(rating?.['reply']);
        return reviewFrom(
          {
            id: asNumber(rating?.['id']),
            stars: rating?.['score'],
            title: null,
            text: rating?.['body'],
            author: asRecord(rating?.['user'])?.['name'],
            version: asRecord(rating?.['version'])?.['version'],
            territory: null,
            writtenAt: rating?.['created'],
          },
          reply === undefined ? null : { text: reply['body'], state: 'published' },
        );
      }),
    // The link leads to the host that AMO thinks it has.
    next: asText(json['next']) === undefined ? undefined : page + 1,
  };
}
