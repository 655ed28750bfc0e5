import { describe, expect, it } from 'vitest';
import { fetchReviews, userReview, type UserReview } from './user-reviews.js';

const REVIEWS: readonly UserReview[] = Array.from({ length: 250 }, (_, at) =>
  userReview({ id: `r${at}`, rating: 1 + (at % 5), createTime: new Date(at * 60_000).toISOString() }, 'a review'),
);
interface Page {
  readonly reviews?: readonly { readonly name: string; readonly rating: number; readonly createTime: string }[];
  readonly nextPageToken?: string;
}
const ask = (query: string, reviews = REVIEWS): Page =>
  fetchReviews('publishers/p/items/i', { reviews }, new URL(`http://store/?${query}`)) as Page;

describe('fetchReviews', () => {
  it('sends 50 at a time, or up to 200 where more are asked for, and leaves an empty list out', () => {
    expect(ask('').reviews).toHaveLength(50);
    const first = ask('pageSize=1000');
    expect(first.reviews).toHaveLength(200);
    const last = ask(`pageSize=1000&pageToken=${first.nextPageToken}`);
    expect([last.reviews?.length, last.nextPageToken]).toEqual([50, undefined]);
    expect(ask('', [])).toEqual({});
  });

  it('orders and filters', () => {
    expect(ask('orderBy=createTime%20desc&pageSize=1').reviews?.[0]?.name).toBe('reviews/r249');
    expect(ask('orderBy=rating%20desc,%20createTime%20desc&pageSize=1').reviews?.[0]?.name).toBe('reviews/r249');
    expect(ask('orderBy=rating&pageSize=1').reviews?.[0]?.rating).toBe(1);
    expect(ask('filter=rating%20=%205&pageSize=200').reviews).toHaveLength(50);
  });

  it.each([
    'pageSize=-1',
    'pageSize=many',
    'pageToken=none',
    'orderBy=createTime',
    'orderBy=createTime%20asc',
    'orderBy=author%20desc',
    'filter=rating%20%3E%203',
    'filter=comment%20=%205',
  ])('refuses %s', (query) => {
    expect(() => ask(query)).toThrow();
  });

  it('refuses a page token with other parameters than before', () => {
    const { nextPageToken } = ask('pageSize=10');
    expect(() => ask(`pageSize=20&pageToken=${nextPageToken}`)).toThrow(/another request/);
  });
});
