import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { DataSource, QueryFailedError, type QueryRunner } from 'typeorm';
import { BackupFault, dayPartition, type BackedUpTable, type BackupManifest, type DayPartition } from './manifest.js';

/** Rows per statement: few enough to hold in memory, whatever a row contains. */
const BATCH = 500;
/** Longer than any row: a notification, the largest thing in one, has at most a megabyte. */
const LONGEST_LINE = 64 * 1024 * 1024;
const MIGRATIONS = 'migration';

/** The parts of the manifest that describe a dump of the database. */
export type DatabaseDump = Pick<BackupManifest, 'migrations' | 'tables' | 'packages' | 'keys'>;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const fileOf = (table: string): string => `${table}.ndjson`;

/**
 * Dumps and loads all rows of the database, as one file of JSON lines per table. Raw SQL, since it covers every table; not pg_dump, which the
 * container image lacks.
 */
@Injectable()
export class DatabaseDumpRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Writes a consistent snapshot of all rows to a folder. Meanwhile the embedded database serves no other connection. */
  async dump(folder: string): Promise<DatabaseDump> {
    return inTransaction(this.dataSource, 'REPEATABLE READ', async (runner) => {
      const tables: BackedUpTable[] = [];
      for (const { name, of, bounds } of await tablesIn(runner)) {
        const file = createWriteStream(join(folder, fileOf(name)), { mode: 0o600 });
        const hash = createHash('sha256');
        let rows = 0;
        const counted = async function* (): AsyncGenerator<string> {
          for await (const batch of rowsOf(runner, name)) {
            rows += batch.length;
            const lines = batch.join('');
            hash.update(lines);
            yield lines;
          }
        };
        await pipeline(Readable.from(counted(), { objectMode: false }), file);
        const partition = of === null || bounds === null ? null : { of, bounds };
        tables.push({ name, sha256: hash.digest('hex'), rows, partition });
      }
      return { tables, ...(await factsOf(runner)) };
    });
  }

  /** @throws BackupFault when the database has a tenant, a newer schema than the backup, or tables of another program only */
  async refuseUnlessEmpty({ migrations }: Pick<BackupManifest, 'migrations'>): Promise<void> {
    await inTransaction(this.dataSource, 'READ COMMITTED', (runner) => refuseUnlessEmpty(runner, migrations));
  }

  /**
   * Loads a dump, in one transaction, into a database that has the dump's schema and no tenant.
   * @param folder with the files of the dump
   * @throws BackupFault when the database has a tenant or a newer schema, or a file's rows differ in number from the manifest
   */
  async load(folder: string, { tables, migrations }: Pick<BackupManifest, 'migrations' | 'tables'>): Promise<void> {
    await inTransaction(this.dataSource, 'READ COMMITTED', async (runner) => {
      await refuseUnlessEmpty(runner, migrations);
      // Rows refer to each other across tables; PostgreSQL checks them all when the constraints return.
      const constraints = await select<{ table: string; name: string; definition: string }>(
        runner,
        `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
        where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace`,
      );
      for (const { table, name } of constraints)
        await runner.query(`alter table ${table} drop constraint ${quoted(name)}`);
      const present = new Set((await tablesIn(runner)).map(({ name }) => name));
      const partitioned = await partitionedIn(runner);
      for (const { name, rows, partition } of tables) {
        // The migrations of the dump made every table of Pierhead: others belong to another program in the database that was dumped.
        if (partition === null ? !present.has(name) : !partitioned.has(partition.of)) continue;
        if (partition !== null) await createPartition(runner, name, dayPartition(name, partition));
        // A migration may have inserted rows.
        await runner.query(`delete from ${quoted(name)}`);
        const loaded = await loadTable(runner, name, join(folder, fileOf(name)));
        if (loaded !== rows) throw new BackupFault(`${fileOf(name)} has ${loaded} rows instead of ${rows}.`);
      }
      // The due row was that of this backup while it was made.
      await runner.query(`delete from backup_run where state = 'due'`);
      for (const { table, name, definition } of constraints)
        await runner.query(`alter table ${table} add constraint ${quoted(name)} ${definition}`);
    });
  }
}

async function inTransaction<T>(
  dataSource: DataSource,
  isolation: 'REPEATABLE READ' | 'READ COMMITTED',
  work: (runner: QueryRunner) => Promise<T>,
): Promise<T> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction(isolation);
    for (const timeout of ['statement_timeout', 'idle_in_transaction_session_timeout'])
      await runner.query(`set local ${timeout} = 0`);
    const result = await work(runner);
    await runner.commitTransaction();
    return result;
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
  }
}

const select = <Row>(runner: QueryRunner, sql: string, parameters: unknown[] = []): Promise<Row[]> =>
  runner.query(sql, parameters) as Promise<Row[]>;

/** Lists the tables that hold rows, and what each is a partition of. */
const tablesIn = (
  runner: QueryRunner,
): Promise<{ readonly name: string; readonly of: string | null; readonly bounds: string | null }[]> =>
  select(
    runner,
    `select t.relname as name, p.relname as of, pg_get_expr(t.relpartbound, t.oid) as bounds
       from pg_class t left join pg_inherits i on i.inhrelid = t.oid left join pg_class p on p.oid = i.inhparent
      where t.relkind = 'r' and t.relnamespace = current_schema()::regnamespace and t.relname <> $1 order by t.relname`,
    [MIGRATIONS],
  );

/** The tables that have partitions. */
async function partitionedIn(runner: QueryRunner): Promise<ReadonlySet<string>> {
  const rows = await select<{ readonly name: string }>(
    runner,
    `select relname as name from pg_class where relkind = 'p' and relnamespace = current_schema()::regnamespace`,
  );
  return new Set(rows.map(({ name }) => name));
}

/** The days are digits and hyphens, and the names were found in the database or made of both. */
async function createPartition(runner: QueryRunner, name: string, { of, from, to }: DayPartition): Promise<void> {
  await runner.query(
    `create table if not exists ${quoted(name)} partition of ${quoted(of)} for values from ('${from}') to ('${to}')`,
  );
}

/** Reads a table in batches of lines, by a cursor. */
async function* rowsOf(runner: QueryRunner, table: string): AsyncGenerator<readonly string[]> {
  await runner.query(`declare dumped no scroll cursor for select row_to_json(t)::text as line from ${quoted(table)} t`);
  for (;;) {
    const rows = await select<{ readonly line: string }>(runner, `fetch ${BATCH} from dumped`);
    if (rows.length === 0) break;
    yield rows.map(({ line }) => `${line}\n`);
  }
  await runner.query('close dumped');
}

async function loadTable(runner: QueryRunner, table: string, path: string): Promise<number> {
  const name = quoted(table);
  const insert = (lines: readonly string[]): Promise<unknown> =>
    runner
      .query(`insert into ${name} select * from json_populate_recordset(null::${name}, $1::json)`, [
        `[${lines.join(',')}]`,
      ])
      .catch((error: unknown) => {
        if (!isRefusal(error)) throw error;
        throw new BackupFault(`${fileOf(table)} has a row that the table does not take: ${error.message}`, {
          cause: error,
        });
      });
  let loaded = 0;
  let batch: string[] = [];
  for await (const line of linesOf(path)) {
    batch.push(line);
    loaded += 1;
    if (batch.length === BATCH) await insert(batch.splice(0));
  }
  if (batch.length > 0) await insert(batch);
  return loaded;
}

/** Whether PostgreSQL refuses what a statement would write: a data exception or a violated constraint. */
const isRefusal = (error: unknown): error is QueryFailedError =>
  error instanceof QueryFailedError && /^2[23]/.test((error.driverError as { readonly code?: string }).code ?? '');

/** Splits at line feeds only. Node's readline also splits at other characters, which JSON texts may contain. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let parts: string[] = [];
  let length = 0;
  for await (const chunk of createReadStream(path, { encoding: 'utf8' })) {
    const [first = '', ...lines] = (chunk as string).split('\n');
    parts.push(first);
    length += first.length;
    if (length > LONGEST_LINE)
      throw new BackupFault(`${basename(path)} has a row of more than ${LONGEST_LINE} characters.`);
    const last = lines.pop();
    if (last === undefined) continue;
    yield parts.join('');
    yield* lines;
    parts = [last];
    length = last.length;
  }
  if (length > 0) throw new BackupFault(`${basename(path)} ends in the middle of a row.`);
}

async function refuseUnlessEmpty(runner: QueryRunner, migrations: readonly string[]): Promise<void> {
  const tables = new Set((await tablesIn(runner)).map(({ name }) => name));
  for (const table of ['tenant', 'tenant_user'])
    if (tables.has(table) && (await select(runner, `select 1 from ${table} limit 1`)).length > 0)
      throw new BackupFault('The database has tenants already. Restore into an empty one.');
  const [{ known } = { known: false }] = await select<{ known: boolean }>(
    runner,
    `select to_regclass('${MIGRATIONS}') is not null as known`,
  );
  if (!known && tables.size > 0)
    throw new BackupFault('The database has tables of another program. Restore into an empty one.');
  if (known && (await migrationsIn(runner)).some((name) => !migrations.includes(name)))
    throw new BackupFault('The database has a newer schema than the backup. Restore into an empty one.');
}

async function migrationsIn(runner: QueryRunner): Promise<readonly string[]> {
  const rows = await select<{ name: string }>(runner, `select name from ${MIGRATIONS} order by timestamp`);
  return rows.map(({ name }) => name);
}

async function factsOf(runner: QueryRunner): Promise<Omit<DatabaseDump, 'tables'>> {
  return {
    migrations: await migrationsIn(runner),
    packages: await select(runner, 'select key, sha256 from blob order by key'),
    keys: await select(runner, 'select setting, key_id as id from key_fingerprint order by setting, key_id'),
  };
}
