const DAY_MS = 86_400_000;

const isoOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** Reads a typed day, such as 2027-3-31 or 31 Mar 2027. Returns it as 2027-03-31, or null for anything else and for days that no month has. */
export function readDay(text: string): string | null {
  const typed = text.trim();
  const numbers = /^(\d{4})[-./ ](\d{1,2})[-./ ](\d{1,2})$/.exec(typed);
  if (numbers !== null) return existing(Number(numbers[1]), Number(numbers[2]), Number(numbers[3]));
  const words = /^(?:(\d{1,2})\.? ([a-z]{3,})|([a-z]{3,}) (\d{1,2}),?) (\d{4})$/i.exec(typed);
  if (words === null) return null;
  const [, before, second = '', first = second, after = before, year] = words;
  const month = 'janfebmaraprmayjunjulaugsepoctnovdec'.indexOf(first.slice(0, 3).toLowerCase());
  return month % 3 === 0 ? existing(Number(year), month / 3 + 1, Number(after)) : null;
}

function existing(year: number, month: number, day: number): string | null {
  const time = Date.UTC(year, month - 1, day);
  const iso = isoOf(time);
  return iso === [year, month, day].map((part) => String(part).padStart(2, '0')).join('-') ? iso : null;
}

/** The day of a time where the reader is. */
export const dayHere = (time: Date): string => isoOf(Date.UTC(time.getFullYear(), time.getMonth(), time.getDate()));

/** The day so many days later. */
export const daysLater = (day: string, days: number): string => isoOf(timeOf(day) + days * DAY_MS);

/** The same day so many months later, or the last one of a shorter month. */
export function monthsLater(day: string, months: number): string {
  const from = new Date(timeOf(day));
  const last = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months + 1, 0);
  return isoOf(Math.min(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, from.getUTCDate()), last));
}

/** The weeks that a month takes part in, each with seven days. @param firstDay of a week, 1 for Monday to 7 for Sunday */
export function weeksOf(day: string, firstDay: number): readonly (readonly string[])[] {
  const first = `${day.slice(0, 8)}01`;
  const before = (new Date(timeOf(first)).getUTCDay() - firstDay + 7) % 7;
  const start = daysLater(first, -before);
  const weeks = Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_each, at) => daysLater(start, 7 * week + at)),
  );
  return weeks.filter((week) => week.some((each) => each.startsWith(day.slice(0, 8))));
}
