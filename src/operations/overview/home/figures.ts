/** How a figure of a week changed against the week before. */
export interface Compared {
  readonly value: number;
  readonly before: number;
  /** The difference as a share of the week before; null where that had none. */
  readonly change: number | null;
}

/** Compares a figure with that of the week before. Pure. */
export const compared = (value: number, before: number): Compared => ({
  value,
  before,
  change: before > 0 ? Math.round(((value - before) / before) * 1000) / 1000 : null,
});

/** What the days of a trend count. */
export const TREND_KINDS = ['installs', 'users'] as const;
export type TrendKind = (typeof TREND_KINDS)[number];

/** A figure of an extension on a day. */
export interface TrendRow {
  readonly extensionId: string;
  readonly of: TrendKind;
  /** Days since the first. */
  readonly day: number;
  readonly amount: number;
}

/** A figure of each day, oldest first; null where it is not known. */
export interface Trend {
  readonly of: TrendKind;
  readonly days: readonly (number | null)[];
}

/** The trends of extensions over so many days: of installs, or of users where there are no installs. Pure. */
export function trendsOf(rows: readonly TrendRow[], length: number): ReadonlyMap<string, Trend> {
  const found = new Map<string, { readonly of: TrendKind; readonly days: (number | null)[] }>();
  for (const kind of TREND_KINDS)
    for (const { extensionId, of, day, amount } of rows) {
      if (of !== kind) continue;
      const trend = found.get(extensionId) ?? { of, days: Array.from({ length }, () => null) };
      found.set(extensionId, trend);
      if (trend.of === of) trend.days[day] = amount;
    }
  return found;
}

/** A sum of sales in one currency, in its smallest unit. */
export interface SalesRow {
  readonly currency: string;
  readonly isBefore: boolean;
  readonly net: number;
}

/** Compares sales by currency, in the order of their names; currencies are never added up. Pure. */
export function comparedSales(rows: readonly SalesRow[]): readonly (Compared & { readonly currency: string })[] {
  const sum = (currency: string, isBefore: boolean): number =>
    rows.find((row) => row.currency === currency && row.isBefore === isBefore)?.net ?? 0;
  const currencies = [...new Set(rows.map(({ currency }) => currency))].toSorted();
  return currencies.map((currency) => ({ currency, ...compared(sum(currency, false), sum(currency, true)) }));
}
