const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A length of time in its largest unit, rounded down: `41 s`, `2 min`, `3 h`, `12 days`. */
export function duration(ms: number): string {
  if (ms < MINUTE) return `${Math.max(Math.floor(ms / SECOND), 0)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h`;
  const days = Math.floor(ms / DAY);
  return days === 1 ? '1 day' : `${days} days`;
}

/** A time as seen from now: `2 min ago`, `in 3 h`. */
export function relative(time: string | Date, now: Date): string {
  const ms = new Date(time).getTime() - now.getTime();
  return ms > 0 ? `in ${duration(ms)}` : `${duration(-ms)} ago`;
}

/** A number of bytes: `84 kB`, `1.2 MB`. */
export function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  if (count < 999_500) return `${Math.round(count / 1000)} kB`;
  return `${(count / 1_000_000).toFixed(1)} MB`;
}

/** `a, b and c`. */
export const list = (words: readonly string[], last = 'and'): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;

/** Milliseconds of `90`, `90s`, `30m`, `12h` or `2d`; a bare number counts seconds. Null for anything else. */
export function parseDuration(text: string): number | null {
  const [, count, unit = 's'] = /^(\d{1,9})(s|m|h|d)?$/.exec(text) ?? [];
  if (count === undefined) return null;
  return Number(count) * { s: SECOND, m: MINUTE, h: HOUR, d: DAY }[unit as 's' | 'm' | 'h' | 'd'];
}

/** A day in the user's time zone, with its year unless that is the present one: `12 Dec`, `3 Jan 2028`. */
export function day(time: string | Date, now: Date): string {
  const date = new Date(time);
  const isThisYear = date.getFullYear() === now.getFullYear();
  return date.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' }),
  });
}
