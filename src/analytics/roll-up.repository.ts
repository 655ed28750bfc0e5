import { Injectable } from '@nestjs/common';
import { Transactions } from '../common/database/index.js';
import type { Day } from './days.js';
import { FREE, LICENSED, UNBOUNDED_DIMENSIONS, MAX_VALUES, OTHER, UNKNOWN, type Dimension } from './dimensions.js';

/** The value of each dimension in a row of install_day named `ping`; null when it is unknown. */
export const VALUE_SQL: Readonly<Record<Dimension, string>> = {
  version: 'ping.version',
  browser: 'ping.browser',
  browserVersion: "ping.browser || ' ' || ping.browser_major",
  os: 'ping.os',
  country: 'ping.country',
  language: 'ping.language',
  store: 'ping.store',
  licensed: `case when ping.licensed then '${LICENSED}' when not ping.licensed then '${FREE}' end`,
};
/** The dimensions of such a row, as rows of (dimension, value). */
export const DIMENSIONS_OF_PING = `lateral (values
  ${Object.entries(VALUE_SQL)
    .map(([dimension, value]) => `('${dimension}', coalesce(${value}, '${UNKNOWN}'))`)
    .join(',\n  ')}) as entry (dimension, value)`;

/** Locks the oldest open day for one process; others skip it. Days are closed in order. */
const TAKE_OPEN_DAY = `
  select day::text, watermark::text from analytics_day
   where day = (select min(day) from analytics_day where closed_at is null) and closed_at is null
   for update skip locked`;

/**
 * The transactions to read next: from the watermark ($2) up to about $3 pings, leaving out those that may still be running. A watermark in
 * the future comes from another server whose data was moved here.
 */
const NEXT_STRETCH = `
  with mark as (
    select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as complete,
           case when $2::bigint > pg_snapshot_xmax(pg_current_snapshot())::text::bigint then 0 else $2::bigint end as low
  ), stretch as (
    select low, complete,
           (select arrived from install_day where day = $1 and arrived >= low order by arrived offset $3 limit 1) as high from mark
  )
  select low::text, case when high is null then complete else least(greatest(high, low + 1), complete) end::text as high,
         exists (select from install_day where day = $1 and arrived >= low and arrived < complete) as "hasPings"
    from stretch`;

/**
 * Adds the pings of the open day ($1) that arrived in [$2, $3) to the figures. A ping counts only if its install has not been seen on
 * this day, which the same statement records; it may therefore run any number of times, over any stretch, in any order.
 */
const READ_STRETCH = `
  with there as materialized (
    select id from extension
     where id in (select extension_id from install_day where day = $1 and arrived >= $2 and arrived < $3)
     order by id for key share
  ), ping as materialized (
    select install_day.*, seen.last_day
      from install_day
      join there on there.id = install_day.extension_id
      left join install_seen seen on seen.extension_id = install_day.extension_id and seen.install = install_day.install
     where install_day.day = $1 and arrived >= $2 and arrived < $3 and (seen.last_day is null or seen.last_day < $1)
  ), noted as (
    insert into install_seen (extension_id, install, last_day)
    select extension_id, install, $1 from ping
    on conflict (extension_id, install) do update set last_day = excluded.last_day
  ), moved as (
    insert into install_last_day (extension_id, last_day, installs)
    select extension_id, last_day, sum(installs) from (
      select extension_id, $1::date as last_day, count(*) as installs from ping group by 1
      union all
      select extension_id, last_day, -count(*) from ping where last_day is not null group by 1, 2
    ) as change group by 1, 2
    on conflict (extension_id, last_day) do update set installs = install_last_day.installs + excluded.installs
  ), summed as (
    insert into stat_total (extension_id, day, active, new, unique7, unique28)
    select extension_id, $1, count(*), count(*) filter (where last_day is null or last_day < $1::date - 28), 0, 0 from ping group by 1
    on conflict (extension_id, day)
    do update set active = stat_total.active + excluded.active, new = stat_total.new + excluded.new
  )
  insert into stat_day (extension_id, day, dimension, value, installs, new)
  select ping.extension_id, $1, entry.dimension, entry.value, count(*), count(*) filter (where last_day is null or last_day < $1::date - 28)
    from ping, ${DIMENSIONS_OF_PING} group by 1, 3, 4
  on conflict (extension_id, day, dimension, value)
  do update set installs = stat_day.installs + excluded.installs, new = stat_day.new + excluded.new`;

/** Sets the uniques at the end of the day ($1), also of extensions without pings on that day. */
const SUM_UNIQUES = `
  insert into stat_total (extension_id, day, active, new, unique7, unique28)
  select extension_id, $1::date, 0, 0, coalesce(sum(installs) filter (where last_day > $1::date - 7), 0), sum(installs)
    from install_last_day where last_day > $1::date - 28 and last_day <= $1::date
   group by extension_id having sum(installs) > 0
  on conflict (extension_id, day) do update set unique7 = excluded.unique7, unique28 = excluded.unique28`;

/** Does what `foldRare` does, for all extensions of a day ($1). */
const FOLD_RARE = `
  with ranked as (
    select extension_id, dimension, value,
           row_number() over (partition by extension_id, dimension order by installs desc, value collate "C") as place
      from stat_day
     where day = $1 and dimension in (${UNBOUNDED_DIMENSIONS.map((one) => `'${one}'`).join(', ')}) and value not in ('${OTHER}', '${UNKNOWN}')
  ), folded as (
    delete from stat_day using ranked
     where stat_day.day = $1 and ranked.place > ${MAX_VALUES} and stat_day.extension_id = ranked.extension_id
       and stat_day.dimension = ranked.dimension and stat_day.value = ranked.value
    returning stat_day.extension_id, stat_day.dimension, stat_day.installs, stat_day.new
  )
  insert into stat_day (extension_id, day, dimension, value, installs, new)
  select extension_id, $1, dimension, '${OTHER}', sum(installs), sum(new) from folded group by 1, 3
  on conflict (extension_id, day, dimension, value)
  do update set installs = stat_day.installs + excluded.installs, new = stat_day.new + excluded.new`;

/** Adds the closed day ($1) to its month; runs once, in the transaction that closes the day. */
const ADD_TO_MONTH = `
  insert into stat_month (extension_id, month, dimension, value, installs)
  select extension_id, date_trunc('month', $1::date::timestamp)::date, dimension, value, installs from stat_day where day = $1::date
  on conflict (extension_id, month, dimension, value) do update set installs = stat_month.installs + excluded.installs`;

/** The pings of extensions ($1) from the open day ($2) to another ($3) that are not in the figures yet: of the open day those from transaction $4. */
export const TAIL = `
  tail as materialized (
    select ping.*, seen.last_day,
           coalesce(lag(ping.day) over (partition by ping.extension_id, ping.install order by ping.day), seen.last_day) as seen_before
      from install_day ping
      left join install_seen seen on seen.extension_id = ping.extension_id and seen.install = ping.install
     where ping.extension_id = any($1::uuid[]) and ping.day between $2::date and $3::date
       and (ping.day > $2::date or ping.arrived >= $4::bigint) and (seen.last_day is null or seen.last_day < ping.day)
  )`;

const BEFORE_ALL = '0';
const AFTER_ALL = '9223372036854775807';

/** A day whose pings are not all in the figures yet. */
export interface OpenDay {
  readonly day: Day;
  /** The transaction up to which its pings are in the figures. */
  readonly watermark: string;
}

/** Transactions from `low` up to `high`, exclusive. */
export interface Stretch {
  readonly low: string;
  readonly high: string;
  readonly hasPings: boolean;
}

/** Adds pings to the figures. Raw SQL: each step is one statement over millions of rows that never leave the database. */
@Injectable()
export class RollUpRepository {
  constructor(private readonly tx: Transactions) {}

  /** Locks the oldest open day; undefined when there is none or another process has it. */
  async takeOpenDay(): Promise<OpenDay | undefined> {
    const [open] = await this.tx.query<OpenDay>(TAKE_OPEN_DAY);
    return open;
  }

  /** Lifts the statement timeout for the transaction, since reading a day may take minutes. */
  async liftStatementTimeout(): Promise<void> {
    await this.tx.query('set local statement_timeout = 0');
  }

  /** Finds the next stretch of an open day, of about this many pings. */
  async nextStretch({ day, watermark }: OpenDay, pings: number): Promise<Stretch | undefined> {
    const [stretch] = await this.tx.query<Stretch>(NEXT_STRETCH, [day, watermark, pings]);
    return stretch;
  }

  /** Adds a stretch of an open day to the figures. */
  async readStretch({ day }: OpenDay, { low, high }: Stretch): Promise<void> {
    await this.tx.query(READ_STRETCH, [day, low, high]);
    await this.tx.query('update analytics_day set watermark = $2 where day = $1', [day, high]);
  }

  /** Closes a day. Reads all its pings once more first: watermarks only save work. */
  async close({ day }: OpenDay, now: Date): Promise<void> {
    await this.tx.query(READ_STRETCH, [day, BEFORE_ALL, AFTER_ALL]);
    await this.tx.query(SUM_UNIQUES, [day]);
    await this.tx.query(FOLD_RARE, [day]);
    await this.tx.query(ADD_TO_MONTH, [day]);
    await this.tx.query('update analytics_day set closed_at = $2 where day = $1', [day, now]);
  }

  /** Deletes the pings of an extension; its figures go with it by their foreign keys. */
  async deletePings(extensionId: string): Promise<void> {
    await this.liftStatementTimeout();
    await this.tx.query('delete from install_day where extension_id = $1', [extensionId]);
  }
}
