import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/index.js';
import { addDays, type Day } from '../days.js';
import type { LiveMarker } from '../analytics.dto.js';
import { UNKNOWN, type Dimension } from '../dimensions.js';
import { DIMENSIONS_OF_PING, TAIL, VALUE_SQL } from '../roll-up.repository.js';
import { wholeMonthsOf, type Range } from './range.js';
import type { DayValue, Total } from './report.js';
import type { Filter } from './segment.dto.js';
import { storedValue, type SegmentCount } from './segment.js';

/** The oldest open day, and the transaction of that day up to which pings are in the figures. */
export interface RollUpProgress {
  readonly openDay: Day;
  readonly watermark: string;
}

interface TotalRow extends Total {
  readonly extensionId: string;
  readonly day: Day;
}

interface ValueRow {
  readonly day: Day;
  readonly dimension: Dimension;
  readonly value: string;
  readonly installs: number;
}

/** A value of an open day, with its new installs. */
export interface OpenValue extends ValueRow {
  readonly new: number;
}

/** Installs with certain properties: of an extension, those of a sample up to an install. */
export interface SegmentOf {
  readonly extensionId: string;
  readonly filters: readonly Filter[];
  readonly lastInstall: string;
}

/** Most versions that went live, in a report. */
const MAX_LIVE = 500;

/** The watermark as the roll-up reads it: one in the future comes from another server whose data was moved here. */
const PROGRESS = `
  select day::text as "openDay",
         (case when watermark > pg_snapshot_xmax(pg_current_snapshot())::text::bigint then 0 else watermark end)::text as watermark
    from analytics_day where closed_at is null order by day limit 1`;

const CLOSED_TOTALS = `
  select extension_id as "extensionId", day::text, active::float8, new::float8, unique7::float8, unique28::float8
    from stat_total where extension_id = any($1::uuid[]) and day between $2::date and $3::date`;

/** The stored figures of the open day, and the pings that are not in them yet. */
const OPEN_TOTALS = `
  with ${TAIL}, open_day as (
    select $2::date + generate_series(0, $3::date - $2::date) as day
  ), part as (
    select extension_id, day, active, new, 0 as unique7, 0 as unique28
      from stat_total where extension_id = any($1::uuid[]) and day = $2::date
    union all
    select extension_id, day, count(*), count(*) filter (where seen_before is null or seen_before < day - 28), 0, 0
      from tail group by 1, 2
    union all
    select extension_id, open_day.day, 0, 0, coalesce(sum(installs) filter (where last_day > open_day.day - 7), 0), sum(installs)
      from install_last_day join open_day on last_day > open_day.day - 28 and last_day <= open_day.day
     where extension_id = any($1::uuid[]) group by 1, 2
    union all
    select extension_id, open_day.day, 0, 0,
           count(distinct install) filter (where tail.day > open_day.day - 7 and (last_day is null or last_day <= open_day.day - 7)),
           count(distinct install) filter (where last_day is null or last_day <= open_day.day - 28)
      from tail join open_day on tail.day <= open_day.day and tail.day > open_day.day - 28 group by 1, 2
  )
  select extension_id as "extensionId", day::text, sum(active)::float8 as active, sum(new)::float8 as new,
         sum(unique7)::float8 as unique7, sum(unique28)::float8 as unique28
    from part group by 1, 2`;

/** The sums of whole months, and the days before and after them. */
const CLOSED_VALUES = `
  select dimension, value, sum(installs)::float8 as installs from (
    select dimension, value, installs from stat_month where extension_id = $1 and month >= $4::date and month < $5::date
    union all
    select dimension, value, installs from stat_day where extension_id = $1 and day >= $2::date and day < $4::date
    union all
    select dimension, value, installs from stat_day where extension_id = $1 and day >= $5::date and day <= $3::date
  ) as part group by 1, 2`;

const OPEN_VALUES = `
  with ${TAIL}, part as (
    select day, dimension, value, installs, new from stat_day where extension_id = any($1::uuid[]) and day = $2::date
    union all
    select ping.day, entry.dimension, entry.value, count(*), count(*) filter (where seen_before is null or seen_before < ping.day - 28)
      from tail ping, ${DIMENSIONS_OF_PING} group by 1, 2, 3
  )
  select day::text, dimension, value, sum(installs)::float8 as installs, sum(new)::float8 as new from part group by 1, 2, 3`;

/**
 * Each day separately, so that the other dimensions' values, which are most of a day, are not read. PostgreSQL knows how many numbers a series has; of
 * a series of days it assumes a thousand, and compiles a statement that seems so large.
 */
const CLOSED_SERIES = `
  select day::text, dimension, value, installs::float8
    from generate_series(0, $3::date - $2::date) as since (days), lateral (
      select day, dimension, value, installs from stat_day
       where extension_id = $1 and day = $2::date + since.days and dimension = 'version' and value = any($4)
      union all
      select day, dimension, value, installs from stat_day
       where extension_id = $1 and day = $2::date + since.days and dimension in ('store', 'licensed')
    ) as part`;

/** One property of the closed days: each day separately, as in a series. */
const CLOSED_PROPERTY = `
  select found.day::text, found.installs::float8 as active, found.new::float8
    from generate_series(0, $3::date - $2::date) as since (days), lateral (
      select day, installs, new from stat_day
       where extension_id = $1 and day = $2::date + since.days and dimension = $4 and value = $5
    ) as found`;

/** The pings of an extension ($1) from one day ($2) to another ($3), up to an install ($4), that have all properties ($5 and following). */
const pingsWith = (filters: readonly Filter[]): string => `
  from install_day ping
 where ping.extension_id = $1 and ping.day between $2::date and $3::date and ping.install <= $4::uuid
   ${filters.map(({ dimension }, at) => `and coalesce(${VALUE_SQL[dimension]}, '${UNKNOWN}') = $${at + 5}`).join(' ')}`;

/** Versions that went live, unless the same version was live at the same target before. */
const LIVE = `
  with seen as (
    select id, at, version, target_id, lag(version) over (partition by target_id order by id) as before
      from event where extension_id = $1 and kind = 'phase_live' and version is not null
  ), began as (
    select id, at, (at at time zone 'utc')::date as day, version, target_id from seen where before is distinct from version
  )
  select began.at, began.day::text as date, began.version, target.store
    from began left join target on target.id = began.target_id
   where began.day between $2::date and $3::date
   order by began.id desc limit ${MAX_LIVE}`;

/**
 * The stored figures, and those of open days as closing will store them. Raw SQL: each figure is one aggregation over several tables.
 */
@Injectable()
export class FiguresRepository {
  constructor(private readonly tx: Transactions) {}

  /** Runs work on one snapshot, so that a roll-up between two queries neither doubles nor hides pings. */
  inSnapshot<T>(range: Range, work: (progress: RollUpProgress) => Promise<T>): Promise<T> {
    return this.tx.run(async () => {
      await this.tx.query('set transaction isolation level repeatable read, read only');
      const [progress] = await this.tx.query<RollUpProgress>(PROGRESS);
      return work(progress ?? { openDay: range.to, watermark: '0' });
    });
  }

  /** Returns the figures of each day that has any, by extension. */
  async totals(
    extensionIds: readonly string[],
    range: Range,
    { openDay, watermark }: RollUpProgress,
  ): Promise<ReadonlyMap<string, ReadonlyMap<Day, Total>>> {
    const rows = await this.tx.query<TotalRow>(CLOSED_TOTALS, [extensionIds, range.from, range.to]);
    const open =
      range.to < openDay
        ? []
        : await this.tx.query<TotalRow>(OPEN_TOTALS, [extensionIds, openDay, range.to, watermark]);
    const totals = new Map(extensionIds.map((id) => [id, new Map<Day, Total>()]));
    for (const { extensionId, day, ...total } of [...rows.filter(({ day: one }) => one < openDay), ...open])
      if (day >= range.from) totals.get(extensionId)?.set(day, total);
    return totals;
  }

  /** Returns the values of the closed days together, and those of each open day, also of those before the range. */
  async values(
    extensionId: string,
    range: Range,
    { openDay, watermark }: RollUpProgress,
  ): Promise<{ readonly closed: readonly Omit<ValueRow, 'day'>[]; readonly open: readonly OpenValue[] }> {
    const to = before(openDay, range.to);
    const { first, next } = wholeMonthsOf({ from: range.from, to });
    const closed = await this.tx.query<ValueRow>(CLOSED_VALUES, [extensionId, range.from, to, first, next]);
    const open =
      range.to < openDay
        ? []
        : await this.tx.query<OpenValue>(OPEN_VALUES, [[extensionId], openDay, range.to, watermark]);
    return { closed, open };
  }

  /** Returns the installs of some versions, of stores and of licenses on each closed day. */
  async series(
    extensionId: string,
    range: Range,
    versions: readonly string[],
    { openDay }: RollUpProgress,
  ): Promise<readonly DayValue[]> {
    return this.tx.query(CLOSED_SERIES, [extensionId, range.from, before(openDay, range.to), versions]);
  }

  /** Returns the installs with one property on each closed day that has any. */
  async property(
    extensionId: string,
    filter: Filter,
    range: Range,
    { openDay }: RollUpProgress,
  ): Promise<ReadonlyMap<Day, SegmentCount>> {
    const rows = await this.tx.query<SegmentCount & { readonly day: Day }>(CLOSED_PROPERTY, [
      extensionId,
      range.from,
      before(openDay, range.to),
      filter.dimension,
      storedValue(filter),
    ]);
    return new Map(rows.map(({ day, ...count }) => [day, count]));
  }

  /** Counts the pings of a segment on each day. */
  async segmentDays(
    segment: SegmentOf,
    range: Range,
  ): Promise<readonly { readonly day: Day; readonly installs: number }[]> {
    const sql = `select ping.day::text, count(*)::float8 as installs ${pingsWith(segment.filters)} group by 1`;
    return this.tx.query(sql, segmentParameters(segment, range));
  }

  /** Counts the pings of a segment by each property. */
  async segmentValues(segment: SegmentOf, range: Range): Promise<readonly Omit<ValueRow, 'day'>[]> {
    const sql = `
      with ping as materialized (select ping.* ${pingsWith(segment.filters)})
      select entry.dimension, entry.value, count(*)::float8 as installs from ping, ${DIMENSIONS_OF_PING} group by 1, 2`;
    return this.tx.query(sql, segmentParameters(segment, range));
  }

  /** Returns the versions that went live at a store within the range, oldest first. */
  async live(extensionId: string, { from, to }: Range): Promise<readonly LiveMarker[]> {
    const rows = await this.tx.query<LiveMarker>(LIVE, [extensionId, from, to]);
    return rows.toReversed();
  }
}

const segmentParameters = ({ extensionId, filters, lastInstall }: SegmentOf, { from, to }: Range): unknown[] => [
  extensionId,
  from,
  to,
  lastInstall,
  ...filters.map(storedValue),
];

/** The last day of a range that is before the open one. */
const before = (openDay: Day, to: Day): Day => (to < openDay ? to : addDays(openDay, -1));
