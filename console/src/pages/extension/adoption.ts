/** Installs or users of each version on the days of which they are known. */
export interface Counted {
  readonly versions: readonly string[];
  readonly points: readonly { readonly date: string; readonly counts: readonly number[] }[];
}

/** A version that went live, on a UTC day. */
interface Live {
  readonly version: string;
  readonly date: string;
}

/** Share of users that have a version, by the days since it went live. */
export interface Curve {
  readonly version: string;
  readonly live: string;
  /** From 0 to 1, from day 0 on; null where nothing was counted. */
  readonly shares: readonly (number | null)[];
}

/** Days that a curve reaches over. */
export const DAYS = 28;
const MAX_CURVES = 5;
const DAY_MS = 86_400_000;

/** The adoption of the newest versions whose days are counted, newest first. @param live oldest first Pure. */
export function curvesOf({ versions, points }: Counted, live: readonly Live[]): readonly Curve[] {
  const counted = new Map(points.map(({ date, counts }) => [date, counts]));
  const first = new Map(live.toReversed().map(({ version, date }) => [version, date]));
  return [...first]
    .flatMap(([version, date]): readonly Curve[] => {
      const column = versions.indexOf(version);
      if (column < 0) return [];
      const shares = Array.from({ length: DAYS + 1 }, (_, day) => {
        const counts = counted.get(new Date(Date.parse(date) + day * DAY_MS).toISOString().slice(0, 10));
        const all = counts?.reduce((sum, one) => sum + one, 0) ?? 0;
        return all === 0 ? null : (counts?.[column] ?? 0) / all;
      });
      return shares.some((share) => share !== null) ? [{ version, live: date, shares }] : [];
    })
    .toSorted((one, other) => other.live.localeCompare(one.live))
    .slice(0, MAX_CURVES);
}
