import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogueOf, startWorld, type World, DataSource, dataSourceOptions, migrate } from '../support/app.js';
import { newDatabase, type TestDatabase } from '../support/database.js';

const SOURCES = new URL('../../src/', import.meta.url);

describe('the schema', () => {
  let world: World;
  let source: DataSource;
  beforeAll(async () => {
    world = await startWorld();
    source = world.app.get(DataSource);
  });
  afterAll(() => world.close());

  it('made by the migrations is the one that the entities describe', async () => {
    expect(source.entityMetadatas.length).toBeGreaterThanOrEqual(12);
    const { upQueries } = await source.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('has every constraint that the code translates into a problem', async () => {
    const translated = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
      .flatMap((name) => [...readFileSync(new URL(name, SOURCES), 'utf8').matchAll(/(\w+_f?key): \(\) =>/g)])
      .map(([, name]) => name);
    expect(translated.length).toBeGreaterThanOrEqual(4);
    const rows: { conname: string }[] = await source.query(
      "select conname from pg_constraint union select indexname from pg_indexes where indexdef like 'CREATE UNIQUE%'",
    );
    const known = new Set(rows.map(({ conname }) => conname));
    expect(translated.filter((name) => name === undefined || !known.has(name))).toEqual([]);
  });

  it('indexes every column that refers to something that can be deleted, so that no deletion reads a whole table', async () => {
    const rows: { name: string }[] = await source.query(`
      select conname as name from pg_constraint
       where contype = 'f' and connamespace = 'public'::regnamespace and confrelid <> 'tenant'::regclass
         and not exists (select from pg_index where indrelid = conrelid and indkey[0] = conkey[1])`);
    expect(rows).toEqual([]);
  });
});

describe('the migrations', () => {
  let database: TestDatabase;
  let source: DataSource;
  beforeAll(async () => {
    database = await newDatabase();
    source = await new DataSource(dataSourceOptions(database.url, 2)).initialize();
  });
  afterAll(async () => {
    await source.destroy();
    await database.drop();
  });

  const catalogue = (): Promise<readonly string[]> => catalogueOf(source);
  const undoAll = async (): Promise<void> => {
    for (const _ of source.migrations) await source.undoLastMigration();
    await source.query('drop table migration');
  };

  it('make what `npm run docs:schema` wrote', async () => {
    expect(`${(await catalogue()).join('\n')}\n`).toBe(
      readFileSync(new URL('common/database/schema.txt', SOURCES), 'utf8'),
    );
  });

  it('can be undone to nothing, and then make the same schema again', async () => {
    const made = await catalogue();
    await undoAll();
    expect(await catalogue()).toEqual([]);
    expect(await migrate(database.url)).toEqual(source.migrations.map(({ name }) => name));
    expect(await catalogue()).toEqual(made);
  });

  it('are run once by processes that start together on an empty database', async () => {
    const made = await catalogue();
    await undoAll();
    const ran = await Promise.all([migrate(database.url), migrate(database.url), migrate(database.url)]);
    expect(ran.flat()).toEqual(source.migrations.map(({ name }) => name));
    expect(await catalogue()).toEqual(made);
  });
});
