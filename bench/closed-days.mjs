// Days that the service has rolled up, made by SQL.

const VERSIONS = 1000;
const COUNTRIES = 200;

/** A year of closed days: 200 of the versions on each, 200 countries, and whatever else there is. */
const CLOSED_DAYS = `
  with day as (select (now() at time zone 'utc')::date - n as day, n from generate_series(1, $2::int) as n),
  value as (
    select day, 'version' as dimension, '1.' || (($2::int - n) * ${VERSIONS - 200} / $2::int + v) as value, 1000 + v as installs from day, generate_series(0, 199) as v
    union all select day, 'country', chr(65 + c / 26) || chr(65 + c % 26), 1000 + c from day, generate_series(0, ${COUNTRIES - 1}) as c
    union all select day, 'language', chr(97 + l / 26) || chr(97 + l % 26), 2000 from day, generate_series(0, 59) as l
    union all select day, 'browserVersion', 'Chrome ' || (100 + b), 3000 from day, generate_series(0, 29) as b
    union all select day, 'browser', b, 50000 from day, unnest('{Chrome,Firefox,Safari,Opera,Vivaldi}'::text[]) as b
    union all select day, 'os', o, 50000 from day, unnest('{Windows,macOS,Linux,Android,iOS}'::text[]) as o
  ), kept as (
    insert into stat_day (extension_id, day, dimension, value, installs)
    select $1, day, dimension, value, installs from value order by day, dimension, value
  ), months as (
    insert into stat_month (extension_id, month, dimension, value, installs)
    select $1, date_trunc('month', day::timestamp)::date, dimension, value, sum(installs) from value group by 2, 3, 4
  )
  insert into stat_total (extension_id, day, active, new, unique7, unique28)
  select $1, day, 250000, 1000, 400000, 600000 from day`;

/** @param {import('pg').Client} client @param {string} extensionId @param {number} days up to yesterday */
export const makeClosedDays = (client, extensionId, days) => client.query(CLOSED_DAYS, [extensionId, days]);
