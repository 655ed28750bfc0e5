export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const MINUTE_SECONDS = 60;
export const HOUR_SECONDS = 3600;
export const DAY_SECONDS = 86_400;

/** Rounds milliseconds down to seconds. */
export const secondOf = (ms: number): number => Math.floor(ms / 1000);

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** The day of a time in UTC, as people read it: `3 March 2027`. */
export const dayInWords = (time: Date): string => DAY.format(time);
