const DAY_MS = 86_400_000;

/** A UTC day, as `2030-01-31`. Days compare as text. */
export type Day = string;

export const dayOf = (moment: Date): Day => moment.toISOString().slice(0, 10);

export const startOf = (day: Day): Date => new Date(`${day}T00:00:00.000Z`);

export const addDays = (day: Day, days: number): Day => dayOf(new Date(startOf(day).getTime() + days * DAY_MS));

/** Whether text names a day that is in the calendar, from the year 1000 on: what is counted back from it must be there in PostgreSQL too. */
export const isDay = (text: string): boolean => {
  const time = /^[1-9]\d{3}-\d\d-\d\d$/.test(text) ? startOf(text).getTime() : Number.NaN;
  return !Number.isNaN(time) && dayOf(new Date(time)) === text;
};

/** All days from the first to the last, both included. */
export function daysBetween(first: Day, last: Day): readonly Day[] {
  const days: Day[] = [];
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day);
  return days;
}
