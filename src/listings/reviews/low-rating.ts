/** Says in a sentence how many new reviews have few stars. It has nothing that a user wrote: what is sent cannot be taken back. Pure. */
export function lowRatingMessage(storeTitle: string, low: readonly { readonly stars: number }[]): string {
  const worst = Math.min(...low.map(({ stars }) => stars));
  const given = worst === 1 ? 'one star' : 'two stars';
  return low.length === 1
    ? `${storeTitle}: a new review has ${given}.`
    : `${storeTitle}: ${low.length} new reviews have two stars or fewer.`;
}
