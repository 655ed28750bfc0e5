// Gives a used database back as the migrations made it, in a fraction of the time that a new copy takes.
import pg from 'pg';

/** What a test may not leave behind: a shape, or a list of migrations, other than the one that it was handed. */
const SHAPE = `
  with mine as (
    select oid, relname from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
  ), lines as (
    select format('%s %s %s %s %s %s', relname, attnum, attname, atttypid::regtype, attnotnull, pg_get_expr(adbin, adrelid)) as line
      from mine join pg_attribute on attrelid = mine.oid left join pg_attrdef on adrelid = mine.oid and adnum = attnum
     where attnum > 0
    union all
    select format('%s %s %s %s', relname, conname, convalidated, pg_get_constraintdef(pg_constraint.oid))
      from mine join pg_constraint on conrelid = mine.oid
    union all
    select format('%s %s', indisvalid, pg_get_indexdef(indexrelid)) from mine join pg_index on indrelid = mine.oid
    union all
    select format('%s %s', tgenabled, pg_get_triggerdef(pg_trigger.oid))
      from mine join pg_trigger on tgrelid = mine.oid where not tgisinternal
    union all
    select format('%s %s', oid::regprocedure, prosrc) from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select migration::text from migration
  )
  select string_agg(line, E'\\n' order by line collate "C") as shape from lines`;

/** The days' partitions come and go with the pings. */
const DROP_DAYS = `
  do $$
    declare
      one regclass;
    begin
      for one in select oid from pg_class where relnamespace = 'public'::regnamespace and relispartition and relkind = 'r' loop
        execute format('drop table %s', one);
      end loop;
      delete from analytics_day;
    end
  $$`;

/**
 * Few tables hold anything after a test, and few of those much: PostgreSQL makes new files for each table and index that it truncates, which takes a
 * hundred times as long as to delete a few rows. The days that pings are counted by stay.
 */
const EMPTY = `
  do $$
    declare
      one regclass;
      is_full boolean;
    begin
      -- Neither the audit log's trigger nor foreign keys keep rows.
      set local session_replication_role = replica;
      -- A service may still hold one.
      set local lock_timeout = '5s';
      for one in select oid from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
          and relname not in ('migration', 'analytics_day')
      loop
        execute format('select exists (select from %s)', one) into is_full;
        if pg_relation_size(one) > 1000000 then
          execute format('truncate %s cascade', one);
        elsif is_full then
          execute format('delete from %s', one);
        end if;
      end loop;
      perform setval(seqrelid::regclass, seqstart, false) from pg_sequence
        where seqrelid <> pg_get_serial_sequence('migration', 'id')::regclass;
    end
  $$`;

const END_OTHERS = `
  select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;

async function inSession(url, work) {
  const client = new pg.Client({ connectionString: url, statement_timeout: 30_000 });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const shapeIn = async (client) => (await client.query(SHAPE)).rows[0].shape;

/** What `cleaned` compares with: tables, columns, constraints, indexes, triggers, functions and the migrations that were run. */
export const shapeOf = (url) => inSession(url, shapeIn);

/**
 * Ends what other sessions still do, empties every table, and restarts every sequence.
 * @returns false when the test has changed the shape, or broken the database: then it must not be used again
 */
export async function cleaned(url, shape) {
  try {
    return await inSession(url, async (client) => {
      await client.query(END_OTHERS);
      if ((await shapeIn(client)) !== shape) return false;
      await client.query(DROP_DAYS);
      await client.query(EMPTY);
      // The embedded database has one session for all: what a test has set in it goes too.
      await client.query('discard all');
      return true;
    });
  } catch {
    return false;
  }
}

/** What a service knows of days that it has counted pings on cannot be taken back. */
const COUNTS = `
  select exists (select from analytics_day where closed_at is not null or watermark > 0) as counts`;

/** Empties every table while a service uses the database. @returns false when it must not be used again */
export async function emptied(url, shape) {
  try {
    return await inSession(url, async (client) => {
      if ((await shapeIn(client)) !== shape || (await client.query(COUNTS)).rows[0].counts) return false;
      await client.query(EMPTY);
      return true;
    });
  } catch {
    return false;
  }
}
