import { InvalidRequest } from '../../common/problems/index.js';
import { DAY_MS } from '../../common/system/index.js';

const DEFAULT_DAYS = 28;
const MAX_DAYS = 400;

/** UTC days from the first to the last, both inclusive. */
export interface SalesRange {
  readonly from: string;
  readonly to: string;
}

/** The UTC day of a time, as `2030-01-31`. */
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
export const startOf = (day: string): Date => new Date(`${day}T00:00:00.000Z`);
export const dayAfter = (day: string): Date => new Date(startOf(day).getTime() + DAY_MS);

/** Reads the range of a query. Pure. @throws InvalidRequest */
export function salesRange(query: Partial<SalesRange>, now: Date): SalesRange {
  const to = checked('to', query.to) ?? dayOf(now.getTime());
  const from = checked('from', query.from) ?? dayOf(startOf(to).getTime() - (DEFAULT_DAYS - 1) * DAY_MS);
  if (from > to) refuse('from', 'must not be after `to`.');
  if (startOf(to).getTime() - startOf(from).getTime() >= MAX_DAYS * DAY_MS)
    refuse('from', `must be at most ${MAX_DAYS} days before the end of \`to\`.`);
  return { from, to };
}

function checked(field: string, day: string | undefined): string | undefined {
  if (day === undefined) return undefined;
  const ms = startOf(day).getTime();
  if (Number.isNaN(ms) || dayOf(ms) !== day || day < '1000') refuse(field, 'must be a day of the calendar.');
  return day;
}

function refuse(field: string, message: string): never {
  throw new InvalidRequest([{ field, message }]);
}
