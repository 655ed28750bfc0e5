import { asNumber, asRecord } from '../../common/net/pure.js';
import type { StoreFigure, StoreMetric } from '../figures.js';

/** Reads what an add-on says of itself on a day (src/stores/README.md#firefox-figures). Pure. */
export function figuresOf(addon: Readonly<Record<string, unknown>>, day: string): readonly StoreFigure[] {
  const ratings = asRecord(addon['ratings']);
  const count = asNumber(ratings?.['count']);
  const of = (metric: StoreMetric, value: unknown): StoreFigure[] => {
    const amount = asNumber(value);
    return amount === undefined || amount < 0 ? [] : [{ day, metric, amount }];
  };
  return [
    ...of('users', addon['average_daily_users']),
    ...of('weeklyDownloads', addon['weekly_downloads']),
    ...of('ratings', count),
    // An add-on without ratings has a mean of 0, which nobody gave.
    ...(count === 0 ? [] : of('rating', ratings?.['average'])),
  ];
}
