/** A value with the processor's time of the event that said it, ISO 8601 in UTC, so that the newer one holds whichever arrived first. */
export interface Said<T> {
  readonly at: string;
  readonly value: T;
}

/** When each of several values was last said: what holds now, and since when it differs from what was said before. */
export type Heard = Readonly<Record<string, string>>;

/** The newer of two; of one second, the weightier; of one weight, the one whose text sorts last, so that order never decides. */
export function newer<T>(
  one: Said<T> | null,
  other: Said<T> | null,
  weightOf: (value: T) => number = () => 0,
): Said<T> | null {
  if (one === null || other === null) return one ?? other;
  if (one.at !== other.at) return one.at > other.at ? one : other;
  const heavier = weightOf(one.value) - weightOf(other.value);
  if (heavier !== 0) return heavier > 0 ? one : other;
  return JSON.stringify(one.value) >= JSON.stringify(other.value) ? one : other;
}

/** Both together; the same in any order and with repetitions. */
export function joinHeard(one: Heard, other: Heard): Heard {
  const values = [...new Set([...Object.keys(one), ...Object.keys(other)])].toSorted();
  return Object.fromEntries(
    values.map((value) => {
      const [first = '', second = ''] = [one[value], other[value]];
      return [value, first > second ? first : second];
    }),
  );
}

/** The values that were said, the last one first. */
export const lastFirst = (heard: Heard): readonly string[] =>
  Object.entries(heard)
    .toSorted(([one, at], [other, otherAt]) => (`${at} ${one}` > `${otherAt} ${other}` ? -1 : 1))
    .map(([value]) => value);

/** Until when something else was said than now; null when nothing else ever was. */
export function changedAt(heard: Heard): string | null {
  const [, before] = lastFirst(heard);
  return before === undefined ? null : (heard[before] ?? null);
}
