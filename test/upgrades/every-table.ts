import type { DataSource } from '../support/app.js';

/** A database, or a transaction on it. */
type Queried = Pick<DataSource, 'query'>;

interface Column {
  readonly name: string;
  readonly type: string;
  /** The table and column that it refers to. */
  readonly refersTo: string | null;
  /** One of few texts that the schema allows. */
  readonly allowed: string | null;
}

/** Whatever the schema demands of a value of a type; lengths are those of digests. */
const VALUES: Readonly<Record<string, string>> = {
  uuid: 'gen_random_uuid()',
  text: "'a'",
  boolean: 'false',
  bytea: "sha256('a')",
  date: 'current_date',
  'timestamp with time zone': 'now()',
  jsonb: "'{}'",
};

const COLUMNS = `
  select a.attname as name, format_type(a.atttypid, null) as type,
         (select format('select %I from %s limit 1', r.attname, f.confrelid::regclass) from pg_constraint f
            join pg_attribute r on r.attrelid = f.confrelid and r.attnum = f.confkey[array_position(f.conkey, a.attnum)]
           where f.contype = 'f' and f.conrelid = a.attrelid and a.attnum = any(f.conkey) limit 1) as "refersTo",
         (select substring(pg_get_constraintdef(c.oid) from '''([a-z_]+)''::text') from pg_constraint c
           where c.contype = 'c' and c.conrelid = a.attrelid and c.conkey = array[a.attnum] limit 1) as allowed
    from pg_attribute a where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
   order by a.attnum`;

/** The columns of a table that hold what was written, in the order of the table. */
export const columnsOf = (source: Queried, table: string): Promise<readonly Column[]> =>
  source.query<Column[]>(COLUMNS, [table]);

/** The tables of the service, without the partitions. */
export async function tablesOf(source: Queried): Promise<readonly string[]> {
  const rows = await source.query<{ readonly name: string }[]>(
    `select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** The tables without a row. */
export async function emptyTables(source: DataSource): Promise<readonly string[]> {
  const empty: string[] = [];
  for (const table of await tablesOf(source))
    if ((await source.query<unknown[]>(`select from ${table} limit 1`)).length === 0) empty.push(table);
  return empty;
}

/** Adds a row to each table that has none, as the schema allows it: what use of the service does not bring about within a test. */
export async function fillEmptyTables(source: DataSource): Promise<void> {
  for (let empty = await emptyTables(source); empty.length > 0; empty = await emptyTables(source))
    for (const table of empty) {
      const columns = await columnsOf(source, table);
      const parents = columns.flatMap(({ refersTo }) => refersTo ?? []);
      const found = await Promise.all(parents.map((parent) => source.query<unknown[]>(parent)));
      // It has its turn when its parents have had theirs.
      if (found.some((rows) => rows.length === 0)) continue;
      const names = columns.map(({ name }) => name).join(', ');
      await source.query(`insert into ${table} (${names}) values (${columns.map(valueOf).join(', ')})`);
    }
}

function valueOf({ name, type, refersTo, allowed }: Column): string {
  // A restore decrypts one of each.
  if (name === 'sealed') return '(select sealed from credential limit 1)';
  if (refersTo !== null) return `(${refersTo})`;
  if (allowed !== null) return `'${allowed}'`;
  return VALUES[type] ?? (type.endsWith('[]') ? "'{}'" : '1');
}
