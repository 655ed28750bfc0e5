import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ColumnMetadata, Purposes } from '../../src/common/database/index.js';
import { DataSource, exportedTables, purposesOf, startWorld, storedColumns, type World } from '../support/app.js';

/** Tables that have no entity to mark and are in no export, and why. */
const LEFT_BEHIND: Readonly<Record<string, readonly string[]>> = {
  'belongs to the service': ['analytics_day', 'migration'],
  'holds digests of installs, which say nothing to anybody else': ['install_day', 'install_seen', 'install_last_day'],
  'is derived from what is exported': ['stat_month'],
};

/** Columns that are empty until the worker has taken the row. */
const WRITTEN_LATER = ['mail.last_status', 'mail.last_error', 'mail.lease_token', 'mail.lease_until'];

/** The columns in statements that add rows from JSON, where a column that is forgotten gets its default without a word. */
function writtenFromJson(): readonly { readonly table: string; readonly columns: readonly string[] }[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.repository.ts'))
    .map((file) => readFileSync(`src/${file}`, 'utf8'));
  return files.flatMap((text) =>
    [...text.matchAll(/insert into (\w+) \(([^)]+)\)\s+select \* from json_to_recordset/g)].map(
      ([, table = '', columns = '']) => ({ table, columns: columns.split(',').map((each) => each.trim()) }),
    ),
  );
}

describe('the columns of the entities', () => {
  let world: World;
  let source: DataSource;
  let columns: readonly ColumnMetadata[];
  beforeAll(async () => {
    world = await startWorld();
    source = world.app.get(DataSource);
    columns = source.entityMetadatas.flatMap(storedColumns);
  });
  afterAll(() => world.close());

  const those = (fit: (purposes: Purposes, column: ColumnMetadata) => boolean): readonly string[] =>
    columns
      .filter((column) => fit(purposesOf(column), column))
      .map(({ entityMetadata, databaseName }) => `${entityMetadata.tableName}.${databaseName}`);

  it('say whether they are exported: mark a new one @Exported(), or @NotExported() with the reason', () => {
    expect(those(({ exported, notExported }) => (exported === undefined) === (notExported === undefined))).toEqual([]);
  });

  it('that are exported are in a file of the archive, and so is each column of a table without entity', async () => {
    const tables = exportedTables(source.entityMetadatas);
    const isInFile = (table: string, name: string): boolean =>
      tables.some(
        (one) => one.table === table && one.columns.some((sql) => sql === name || sql.endsWith(` as ${name}`)),
      );
    const missing = those(
      ({ exported }, { entityMetadata, databaseName }) =>
        (exported !== undefined) !== isInFile(entityMetadata.tableName, databaseName),
    );
    expect(missing).toEqual([]);
    const stored: readonly { table: string; column: string }[] = await source.query(
      `select c.relname as table, a.attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
          where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
            and a.attnum > 0 and not a.attisdropped`,
    );
    const known = new Set([
      ...those(() => true).map((name) => name.split('.')[0]),
      ...Object.values(LEFT_BEHIND).flat(),
    ]);
    expect(stored.filter(({ table, column }) => !known.has(table) && !isInFile(table, column))).toEqual([]);
  });

  it('are all named by statements that add rows from JSON', () => {
    const written = writtenFromJson();
    expect(written.map(({ table }) => table)).toContain('license');
    const missing = written.flatMap(({ table, columns: named }) =>
      columns
        .filter(
          ({ entityMetadata, databaseName }) => entityMetadata.tableName === table && !named.includes(databaseName),
        )
        .map(({ databaseName }) => `${table}.${databaseName}`),
    );
    expect(missing).toEqual(WRITTEN_LATER);
  });

  it('keep no secret and nothing personal of a buyer in the audit log, where nobody can erase it', () => {
    const isSecret = ({ audited, notExported, personal }: Purposes): boolean =>
      audited !== undefined && (notExported === 'secret' || personal?.includes('buyer') === true);
    expect(those(isSecret)).toEqual([]);
  });
});
