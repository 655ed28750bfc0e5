import type { MigrationInterface } from 'typeorm';
import type { DataSource } from '../support/app.js';

/** What stays small in every installation. */
const SMALL = ['key_fingerprint', 'migration', 'operator_setting', 'store_budget'];

/** What this transaction has done to each table: its file, the rows it read in sequence or by an index, and those that it wrote. */
const DONE = `
  select s.relname as name, pg_relation_filenode(s.relid) as file, seq_tup_read + idx_tup_fetch as read, n_tup_upd + n_tup_del as written
    from pg_stat_xact_user_tables s where s.relname <> all($1)`;

const HELD = `
  select distinct relation::regclass::text as name from pg_locks
   where pid = pg_backend_pid() and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
     and relation in (select relid from pg_stat_user_tables)`;

interface Done {
  readonly name: string;
  readonly file: number;
  readonly read: string;
  readonly written: string;
}

/**
 * Names the tables that a migration would keep from their users for as long as they are large: it reads or rewrites all rows under a lock that
 * writers wait for, or locks the rows themselves. Nothing of it remains. There must be rows in every table.
 */
export async function heldTables(source: DataSource, migration: MigrationInterface): Promise<readonly string[]> {
  const runner = source.createQueryRunner();
  await runner.startTransaction();
  try {
    const before = new Map(((await runner.query(DONE, [SMALL])) as Done[]).map((table) => [table.name, table]));
    await migration.up(runner);
    const held = new Set(((await runner.query(HELD)) as { readonly name: string }[]).map(({ name }) => name));
    const after = (await runner.query(DONE, [SMALL])) as Done[];
    return after
      .filter(({ name, file, read, written }) => {
        const was = before.get(name);
        if (was === undefined) return false;
        return was.written !== written || (held.has(name) && (was.file !== file || was.read !== read));
      })
      .map(({ name }) => name);
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}
