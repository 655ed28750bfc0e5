const MAX_WAIT_SECONDS = 60;
const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 4000;

/** Seconds until an address may try a user's password again, by the number of attempts beyond the free ones; doubles each time. */
export const waitSeconds = (beyond: number): number => Math.min(MAX_WAIT_SECONDS, 2 ** Math.max(0, beyond - 1));

/** Milliseconds by which an attempt is delayed, by the number of attempts from all addresses beyond the free ones. */
export const delayMs = (beyond: number): number =>
  beyond <= 0 ? 0 : Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (beyond - 1));
