import { Failure } from '../failure.js';

/** Asks a route that answers with JSON or CSV for CSV. */
export const AS_CSV = { headers: { accept: 'text/csv' }, parseAs: 'text' } as const;

/** The routes answer as CSV only when asked. */
export function asJson<Report extends object>(report: Report | string): Report {
  if (typeof report === 'string') throw new Failure('The service answered without JSON.');
  return report;
}

/** CSV without the end of its last line, which the terminal adds. */
export const withoutEnd = (csv: string): string => csv.replace(/\r?\n$/, '');
