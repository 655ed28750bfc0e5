import { DAY_MS } from '../common/system/index.js';

/** A UTC day, as `2030-01-31`. Days compare as text. */
export type Day = string;

/** Days for which pings are kept beside the figures: the longest window, 28 days, and a week for downtime. */
export const DAYS_KEPT = 35;

/** Returns the UTC day of a time. */
export const dayOf = (moment: Date): Day => moment.toISOString().slice(0, 10);

/** Returns the beginning of a day. */
export const startOf = (day: Day): Date => new Date(`${day}T00:00:00.000Z`);

/** Returns the day some days later. */
export const addDays = (day: Day, days: number): Day => dayOf(new Date(startOf(day).getTime() + days * DAY_MS));

/** Whether text is a day of the calendar, from the year 1000 on, so that PostgreSQL has all days that are computed from it. */
export const isDay = (text: string): boolean => {
  const time = /^[1-9]\d{3}-\d\d-\d\d$/.test(text) ? startOf(text).getTime() : Number.NaN;
  return !Number.isNaN(time) && dayOf(new Date(time)) === text;
};

/** Returns how many days there are from the first to the last, both inclusive. */
export const countDays = (first: Day, last: Day): number =>
  (startOf(last).getTime() - startOf(first).getTime()) / DAY_MS + 1;

/** Returns all days from the first to the last, both inclusive. */
export function daysBetween(first: Day, last: Day): readonly Day[] {
  const days: Day[] = [];
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day);
  return days;
}
