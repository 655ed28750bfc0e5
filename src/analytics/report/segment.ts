import { InvalidRequest } from '../../common/problems/index.js';
import type { ReportQuery } from '../analytics.dto.js';
import { daysBetween, type Day } from '../days.js';
import { DIMENSIONS, OTHER, UNKNOWN } from '../dimensions.js';
import { compared, comparedDays, meanOf } from './compared.js';
import { bucketsOf, type Range } from './range.js';
import type { Filter, SegmentChanges, SegmentDay } from './segment.dto.js';

/** How a query names installs of which a property is unknown. No value equals it: neither a version, nor a language, nor a country. */
const UNKNOWN_ASKED = 'unknown';

/** Install-days that a report on combinations reads at most; of more, it reads a sample. */
const MAX_READ = 200_000;

/** The installs of a segment on a day; new ones where they are counted. */
export interface SegmentCount {
  readonly active: number;
  readonly new: number | null;
}

/** Reads the filters of a query. Pure. */
export function filtersOf(query: ReportQuery): readonly Filter[] {
  return DIMENSIONS.flatMap((dimension): Filter[] => {
    const value = query[dimension];
    if (value === undefined) return [];
    if (value === OTHER)
      throw new InvalidRequest([{ field: dimension, message: 'must be a value that is counted separately.' }]);
    return [{ dimension, value: value === UNKNOWN_ASKED ? null : value }];
  });
}

/** Returns a filter's value as the figures store it. Pure. */
export const storedValue = ({ value }: Filter): string => value ?? UNKNOWN;

/** Returns the part of the installs that is read of some install-days. Pure. */
export const sampleOf = (installDays: number): number => (installDays <= MAX_READ ? 1 : MAX_READ / installDays);

/** Returns the highest install of a sample: digests are spread evenly, so that the lowest tenth of them is a tenth of the installs. Pure. */
export function lastOfSample(sample: number): string {
  const hex = Math.min(Math.round(sample * 2 ** 32), 2 ** 32 - 1)
    .toString(16)
    .padStart(8, '0');
  return `${hex}-ffff-ffff-ffff-ffffffffffff`;
}

/** Returns the figures of a segment for each day, week or month. Pure. */
export function segmentDaysOf(
  range: Range,
  granularity: NonNullable<ReportQuery['granularity']>,
  counts: ReadonlyMap<Day, SegmentCount>,
  none: SegmentCount,
): readonly SegmentDay[] {
  return bucketsOf(range, granularity).map((days) => {
    const sum = sumOf(days, counts, none);
    return { date: days[0] ?? range.from, ...sum, active: Math.round(sum.active / days.length) };
  });
}

/** What a segment is compared by: days through the last, of which those since the first count in a mean; and whether those before are known. */
export interface Comparison {
  readonly through: Day;
  readonly began: Day;
  readonly isKnownBefore: boolean;
}

/** Returns the change of a segment against the days before. Pure. */
export function segmentChangesOf(
  range: Range,
  { through, began, isKnownBefore }: Comparison,
  counts: ReadonlyMap<Day, SegmentCount>,
  none: SegmentCount,
): SegmentChanges {
  const { now, before } = comparedDays(range, through);
  const of = ({ from, to }: Range): SegmentCount => {
    const days = daysBetween(from, to);
    const sum = sumOf(days, counts, none);
    return { ...sum, active: meanOf(sum.active, days, began) };
  };
  const value = of(now);
  const earlier = isKnownBefore ? of(before) : null;
  return {
    ...now,
    beforeFrom: before.from,
    beforeTo: before.to,
    active: compared(value.active, earlier?.active ?? null),
    new: value.new === null ? null : compared(value.new, earlier?.new ?? null),
  };
}

function sumOf(days: readonly Day[], counts: ReadonlyMap<Day, SegmentCount>, none: SegmentCount): SegmentCount {
  return days
    .map((day) => counts.get(day) ?? none)
    .reduce((sum, one) => ({
      active: sum.active + one.active,
      new: sum.new === null || one.new === null ? null : sum.new + one.new,
    }));
}
