const MOST_SECONDS = 60;
const FIRST_HELD_MS = 250;
const MOST_HELD_MS = 4000;

/** Seconds until an address may try a user's password again, after so many tries beyond the free ones; each wait is twice the one before. */
export const waitSeconds = (beyond: number): number => Math.min(MOST_SECONDS, 2 ** Math.max(0, beyond - 1));

/** Milliseconds for which a try is held before it is answered, after so many beyond the free ones from everywhere. */
export const heldMs = (beyond: number): number =>
  beyond <= 0 ? 0 : Math.min(MOST_HELD_MS, FIRST_HELD_MS * 2 ** (beyond - 1));
