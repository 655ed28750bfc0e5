import { asList, asRecord, asText } from '../../common/net/pure.js';
import { reviewFrom, type ReviewPage } from '../reviews.js';

/** Reads a page of `fetchReviews` (src/stores/README.md#chrome-reviews). Proto JSON leaves an empty list out. Pure. */
export function reviewPageFrom(json: Readonly<Record<string, unknown>>): ReviewPage<string> {
  return {
    reviews: asList(json['reviews'])
      .map(asRecord)
      .map((review) =>
        reviewFrom({
          id: asText(review?.['name'])?.replace(/^.*\//, ''),
          stars: review?.['rating'],
          title: null,
          text: review?.['comment'],
          author: asRecord(review?.['authorInfo'])?.['displayName'],
          version: null,
          territory: null,
          writtenAt: review?.['createTime'],
        }),
      ),
    next: asText(json['nextPageToken']),
  };
}
