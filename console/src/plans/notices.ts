import type { Schemas } from '../api';

type NoticeDays = Schemas['Plan']['noticeDays'];

/** Days as a person types them, such as “30, 7”. What is no number is sent as one that the service refuses. */
export const noticesIn = (text: string): NoticeDays =>
  text
    .split(/[\s,]+/)
    .filter((one) => one !== '')
    .map(daysIn) as NoticeDays;

/** A number of days, or one that the service refuses: 0 would mean none. */
export const daysIn = (text: string): number => (/^\d+$/.test(text.trim()) ? Number(text) : -1);
