import { DAY_MS } from '../../common/system/index.js';

/** Numbers of days, weeks and months that keep their newest backup. */
export interface Retention {
  readonly days: number;
  readonly weeks: number;
  readonly months: number;
}

/** 1970-01-05 was a Monday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

const PERIODS: Readonly<Record<keyof Retention, (at: Date) => string>> = {
  days: (at) => at.toISOString().slice(0, 10),
  weeks: (at) => String(Math.floor((at.getTime() - FIRST_MONDAY_MS) / (7 * DAY_MS))),
  months: (at) => at.toISOString().slice(0, 7),
};

/**
 * Returns the backups that retention does not keep. It keeps the newest backup of each of the latest days, weeks and months (UTC) that have one,
 * and always the newest of all and those of the last 24 hours: one made by hand must not replace that of the schedule. Periods without a backup do not count, so a service that was off for a month keeps its last week.
 */
export function backupsToDelete<Backup extends { readonly createdAt: Date }>(
  backups: readonly Backup[],
  retention: Retention,
  now: Date,
): readonly Backup[] {
  const newestFirst = backups.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  const dayAgo = now.getTime() - DAY_MS;
  const kept = new Set(newestFirst.filter(({ createdAt }, at) => at === 0 || createdAt.getTime() >= dayAgo));
  for (const [period, count] of Object.entries(retention) as [keyof Retention, number][]) {
    const seen = new Set<string>();
    for (const backup of newestFirst) {
      const name = PERIODS[period](backup.createdAt);
      if (seen.has(name)) continue;
      if (seen.size === count) break;
      seen.add(name);
      kept.add(backup);
    }
  }
  return newestFirst.filter((backup) => !kept.has(backup));
}
