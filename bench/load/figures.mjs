// Times are counted in buckets, so that taking one costs next to nothing however many there are.
export const BUCKET_MS = 0.01;
/** The last one also holds what took longer than all of them. */
export const BUCKETS = 500_000;

/**
 * @param {Uint32Array} times how many took how many buckets
 * @param {number} part such as 0.99
 * @returns {number} the time in ms that this part of all did not exceed; NaN of none
 */
export function quantile(times, part) {
  const all = times.reduce((sum, count) => sum + count, 0);
  if (all === 0) return NaN;
  let left = Math.ceil(all * part);
  for (const [at, count] of times.entries()) {
    left -= count;
    if (left <= 0) return (at + 1) * BUCKET_MS;
  }
  return times.length * BUCKET_MS;
}
