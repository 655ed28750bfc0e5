import { v7 } from 'uuid';

/** The first time that an id may have: no store is older. */
const EARLIEST = Date.UTC(2000, 0);

/** Makes the id of a review: a UUIDv7 of the time at which it was written, so that ids sort as reviews do. A time to come is now. */
export const reviewId = (writtenAt: Date, now: Date): string =>
  v7({ msecs: Math.max(EARLIEST, Math.min(writtenAt.getTime(), now.getTime())) });
