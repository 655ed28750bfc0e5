import { asNumber, asRecord } from '../../common/net/pure.js';
import type { StoreFigure } from '../figures.js';

/** The report that counts installations and deletions (src/stores/README.md#safari-figures). */
export const INSTALLS_REPORT = 'App Store Installation and Deletion Standard';

/** A day's report as Apple made it on some day. */
export interface ReportInstance {
  /** As `2030-01-31`. */
  readonly processedOn: string;
  /** What it counts, by day. */
  readonly days: ReadonlyMap<string, Counts>;
}

/** What a report counts of one day. */
export interface Counts {
  readonly installs: number;
  readonly uninstalls: number;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const isDay = (text: string): boolean => DAY.test(text) && !Number.isNaN(Date.parse(text));
/** The columns that are read; their order may change. */
const COLUMNS = { day: 'date', event: 'event', download: 'download type', count: 'counts' } as const;

/**
 * Adds up installs and uninstalls by day. A later instance replaces what earlier ones say of a day. Updates are no installs. Pure.
 * @param instances in any order
 */
export function figuresFrom(instances: readonly ReportInstance[]): readonly StoreFigure[] {
  const newestFirst = instances.toSorted((one, other) => (one.processedOn < other.processedOn ? 1 : -1));
  const days = new Map<string, Counts>();
  for (const { days: counted } of newestFirst)
    for (const [day, counts] of counted) if (!days.has(day)) days.set(day, counts);
  return [...days].flatMap(([day, { installs, uninstalls }]): StoreFigure[] => [
    { day, metric: 'installs', amount: installs },
    { day, metric: 'uninstalls', amount: uninstalls },
  ]);
}

/**
 * Adds what one part of an instance counts to the days of that instance.
 * @param part tab-separated, with a line of names
 */
export function countIn(part: string, days: Map<string, Counts>): void {
  for (const { day, event, download, count } of rowsOf(part)) {
    const { installs, uninstalls } = days.get(day) ?? { installs: 0, uninstalls: 0 };
    const isInstall = event === 'install' && !download.includes('update');
    days.set(day, {
      installs: installs + (isInstall ? count : 0),
      uninstalls: uninstalls + (event === 'delete' ? count : 0),
    });
  }
}

/**
 * Reads the ratings of an app from an answer of the lookup (src/stores/README.md#safari-ratings). Pure.
 * @returns none where the storefront does not have the app; undefined for an answer of another form
 */
export function ratingsFrom(json: unknown, appId: string, day: string): readonly StoreFigure[] | undefined {
  const results = asRecord(json)?.['results'];
  if (!Array.isArray(results)) return undefined;
  const app = results.map(asRecord).find((one) => one?.['trackId'] === Number(appId));
  const [count, mean] = [asNumber(app?.['userRatingCount']), asNumber(app?.['averageUserRating'])];
  const isCount = count !== undefined && Number.isSafeInteger(count) && count >= 0;
  // An app without ratings has a mean of 0, which nobody gave.
  const isMean = mean !== undefined && mean >= 1 && mean <= 5 && count !== 0;
  return [
    ...(isCount ? [{ day, metric: 'ratings', amount: count } as const] : []),
    ...(isMean ? [{ day, metric: 'rating', amount: mean } as const] : []),
  ];
}

interface Row {
  readonly day: string;
  readonly event: string;
  readonly download: string;
  readonly count: number;
}

/** The rows of one part; those that cannot be read are left out. */
function rowsOf(part: string): readonly Row[] {
  const [head = '', ...lines] = part.replace(/^\uFEFF/, '').split(/\r?\n/);
  const names = head.split('\t').map((name) => name.trim().toLowerCase());
  const at = Object.fromEntries(Object.entries(COLUMNS).map(([key, name]) => [key, names.indexOf(name)])) as Readonly<
    Record<keyof typeof COLUMNS, number>
  >;
  return lines.flatMap((line) => {
    const cells = line.split('\t').map((cell) => cell.trim());
    const cell = (key: keyof typeof COLUMNS): string => cells[at[key]] ?? '';
    const [day, count] = [cell('day'), Number(cell('count') || Number.NaN)];
    if (!isDay(day) || !Number.isSafeInteger(count) || count < 0) return [];
    return [{ day, event: cell('event').toLowerCase(), download: cell('download').toLowerCase(), count }];
  });
}
