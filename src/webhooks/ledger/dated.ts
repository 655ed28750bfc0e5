import { DAY_MS } from '../../common/system/index.js';

/** A value with the processor's time of its event, in ISO 8601 UTC: the newer one counts, whichever arrives first. */
export interface Dated<T> {
  readonly at: string;
  readonly value: T;
}

/** Several values with the time of the last event that named each: the newest is the current one. */
export type DatedValues = Readonly<Record<string, string>>;

/** The newer of two. At the same time, the one with more weight; at the same weight, the one whose JSON sorts last, so that order never decides. */
export function newerOf<T>(
  one: Dated<T> | null,
  other: Dated<T> | null,
  weightOf: (value: T) => number = () => 0,
): Dated<T> | null {
  if (one === null || other === null) return one ?? other;
  if (one.at !== other.at) return one.at > other.at ? one : other;
  const heavier = weightOf(one.value) - weightOf(other.value);
  if (heavier !== 0) return heavier > 0 ? one : other;
  return JSON.stringify(one.value) >= JSON.stringify(other.value) ? one : other;
}

/** Joins what two records know of several things, each under its own id; the ids in order. */
export function joinById<T>(
  one: Readonly<Record<string, Dated<T>>>,
  other: Readonly<Record<string, Dated<T>>>,
  join: (one: Dated<T> | null, other: Dated<T> | null) => Dated<T> | null,
): Readonly<Record<string, Dated<T>>> {
  const ids = [...new Set([...Object.keys(one), ...Object.keys(other)])].toSorted();
  return Object.fromEntries(
    ids.flatMap((id) => {
      const joined = join(one[id] ?? null, other[id] ?? null);
      return joined === null ? [] : [[id, joined]];
    }),
  );
}

/** A time in ISO 8601. */
export const textOf = (time: Date | null): string | null => time?.toISOString() ?? null;

/** The time that an ISO 8601 text names. */
export const timeOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

/** The earlier of two times that may be unknown. */
export const sooner = (one: Date | null, other: Date | null): Date | null =>
  one !== null && (other === null || one < other) ? one : other;

export function plusDays(time: Date | null, days: number): Date | null {
  return time === null ? null : new Date(time.getTime() + days * DAY_MS);
}

/** Merges two histories, with the same result in any order and with repetitions. */
export function mergeDated(one: DatedValues, other: DatedValues): DatedValues {
  // A map, because a buyer can choose the plan that a checkout names, and an object has a member such as `constructor` already.
  const merged = new Map(Object.entries(one));
  for (const [value, at] of Object.entries(other)) if (at > (merged.get(value) ?? '')) merged.set(value, at);
  return Object.fromEntries([...merged].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/** The values, newest first. */
export const newestFirst = (values: DatedValues): readonly string[] =>
  Object.entries(values)
    .toSorted(([one, at], [other, otherAt]) => (`${at} ${one}` > `${otherAt} ${other}` ? -1 : 1))
    .map(([value]) => value);

/** When the value before the current one was last named; null when there is none. */
export function changedAt(values: DatedValues): string | null {
  const [, before] = newestFirst(values);
  return before === undefined ? null : (values[before] ?? null);
}
