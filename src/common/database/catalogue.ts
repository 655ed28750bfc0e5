import { readFileSync } from 'node:fs';
import type { DataSource, EntityManager } from 'typeorm';

/**
 * What a schema consists of, one line each: `kind name definition`. The same on PostgreSQL 15 to 18. Without partitions, the table of the
 * migrations and what belongs to an extension.
 */
const CATALOGUE = `
  with own as (
    select c.oid, c.relname, c.relkind from pg_class c
     where c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
       and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'migration'
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'))
  select concat_ws(' ', kind, name, definition) as line from (
    select relname as owner, 1 as rank, 'table' as kind, relname::text as name,
           case relkind when 'p' then 'partition by ' || pg_get_partkeydef(oid) end as definition
      from own
    union all
    select relname, 1 + attnum, 'column', relname || '.' || attname,
           concat_ws(' ', format_type(atttypid, atttypmod), case when attnotnull then 'not null' end,
             case attgenerated when '' then 'default' else 'generated as' end || ' ' || pg_get_expr(adbin, adrelid))
      from own join pg_attribute on attrelid = own.oid and attnum > 0 and not attisdropped
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
    union all
    select relname, 10000, 'constraint', relname || '.' || conname, pg_get_constraintdef(pg_constraint.oid)
      from own join pg_constraint on conrelid = own.oid and contype in ('p', 'u', 'f', 'c', 'x')
    union all
    select own.relname, 20000, 'index', own.relname || '.' || made.relname,
           concat_ws(' ', case when indisunique then 'unique' end, substring(pg_get_indexdef(indexrelid) from 'USING .*'))
      from own join pg_index on indrelid = own.oid join pg_class made on made.oid = indexrelid
     where not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
    union all
    select relname, 30000, 'trigger', relname || '.' || tgname,
           substring(pg_get_triggerdef(pg_trigger.oid, true) from '(?:BEFORE|AFTER) .*')
      from own join pg_trigger on tgrelid = own.oid and not tgisinternal) as each
   order by owner, rank, name collate "C"`;

/** The catalogue that the migrations make, as `npm run docs:schema` writes it. */
const EXPECTED: readonly string[] = readFileSync(new URL('schema.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');

const SHOWN = 3;

/** How a database differs from what the migrations of this version make. */
export interface Drift {
  /** What is missing, is otherwise or is not Pierhead's, as parts of a sentence. */
  readonly faults: readonly string[];
  /** Tables and indexes of the operator's own, which harm nothing. */
  readonly own: readonly string[];
}

/** The database is not one that this version may serve. */
export class SchemaRefused extends Error {
  override readonly name: string = 'SchemaRefused';
}

/** The database is not as the migrations of this version make it. */
export class SchemaDrift extends SchemaRefused {
  override readonly name = 'SchemaDrift';

  constructor({ faults }: Drift) {
    super(
      `The database is not as this version of Pierhead makes it: ${shownOf(faults)}. Restore a backup, or undo what changed it; ALLOW_SCHEMA_DRIFT=true starts all the same.`,
    );
  }
}

/** Reads what a schema consists of, in an order that depends on nothing else. */
export async function catalogueOf(on: DataSource | EntityManager): Promise<readonly string[]> {
  const rows = await on.query<{ readonly line: string }[]>(CATALOGUE);
  return rows.map(({ line }) => line);
}

/** Compares the database with what the migrations of this version make. */
export const driftIn = async (on: DataSource | EntityManager): Promise<Drift> =>
  driftOf(await catalogueOf(on), EXPECTED);

/** Compares two catalogues. Pure. */
export function driftOf(found: readonly string[], expected: readonly string[]): Drift {
  const [has, wants] = [partsOf(found), partsOf(expected)];
  const faults: string[] = [];
  const own: string[] = [];
  for (const [what, definition] of wants) {
    const present = has.get(what);
    if (present === undefined) faults.push(`${what} is missing`);
    else if (present !== definition) faults.push(`${what} is “${present}” instead of “${definition}”`);
  }
  for (const what of has.keys()) {
    if (wants.has(what)) continue;
    const [kind = '', name = ''] = what.split(' ');
    const [table = ''] = name.split('.');
    if (kind === 'table' || kind === 'index' || !wants.has(`table ${table}`)) own.push(what);
    else faults.push(`${what} is not Pierhead's`);
  }
  // A missing table is said once, and an own one as well.
  return { faults: faults.filter(isNotPartOf(faults, ' is missing')), own: own.filter(isNotPartOf(own, '')) };
}

/** The first things of a list, and how many others there are. */
export const shownOf = (faults: readonly string[]): string =>
  [...faults.slice(0, SHOWN), ...(faults.length > SHOWN ? [`and ${faults.length - SHOWN} more`] : [])].join(', ');

/** Definitions by kind and name. */
const partsOf = (catalogue: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    catalogue.map((line) => {
      const [kind, name, ...definition] = line.split(' ');
      return [`${kind} ${name}`, definition.join(' ')];
    }),
  );

const isNotPartOf =
  (all: readonly string[], ending: string) =>
  (one: string): boolean => {
    const [, table] = /^(?:column|constraint|index|trigger) ([^. ]+)\./.exec(one) ?? [];
    return table === undefined || !one.endsWith(ending) || !all.includes(`table ${table}${ending}`);
  };
