import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Resources } from '../guard/every-resource.js';
import { furnished, unzipped } from '../tenant-data/tenant-fixture.js';
import { newDatabase, type TestDatabase } from '../support/database.js';
import {
  Config,
  DataSource,
  migrate,
  MIGRATIONS,
  NewerSchema,
  pg,
  restoreBackup,
  startWorld,
  type World,
} from '../support/app.js';
import { run } from '../support/process.js';
import { emptyTables, fillEmptyTables } from './every-table.js';
import { heldTables } from './held-tables.js';

/** A backup that the last release made of a database with rows in every table; `KEEP_RELEASE=1` makes it when there is a release. */
const LAST_RELEASE = fileURLToPath(new URL('last-release.zip', import.meta.url));
/** Those of the release, whose secrets are read here. */
const KEYS = {
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  CODE_PEPPERS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  TOKEN_SECRET: 'a secret that only the tests know and use',
};
const isOnServer = (process.env['TEST_DATABASE_URL'] ?? '') !== '';

/** What the next version might bring: changes of tables that every request reads. */
class Next1999000000000 implements MigrationInterface {
  name = 'Next1999000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['license', 'seat', 'extension', 'target', 'event', 'session', 'access_token'])
      await runner.query(`alter table ${table} add next_note text`);
    await runner.query('create table next_thing (id uuid primary key, license_id uuid references license(id))');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Nobody undoes it'));
  }
}

const NEXT = [...MIGRATIONS, Next1999000000000];

let folder: string;
/** On which the release was made, and whose stores, folder and clock the upgraded one shares. */
let base: World;
let database: TestDatabase;
let world: World;
let source: DataSource;
/** What the last release had. */
let released: readonly string[];

/** Uses the service through its API, fills up what that leaves empty, and makes a backup. */
async function makeRelease(): Promise<string> {
  await Resources.in(base);
  await furnished(base);
  await base.tick();
  await fillEmptyTables(base.app.get(DataSource));
  const env = { DATABASE_URL: base.database.url, DATA_DIR: base.dataDir, BACKUP_TO: folder, ...KEYS };
  const { stdout, stderr } = await run(['dist/commands/admin.js', 'backup', '--json'], env);
  if (stdout === '') throw new Error(stderr);
  const path = join(folder, (JSON.parse(stdout) as { readonly name: string }).name);
  if (process.env['KEEP_RELEASE'] === '1') await cp(path, LAST_RELEASE);
  return path;
}

/** Restores into a database without a schema, as an operator who moves to this version does. */
async function restoreInto(url: string, backup: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query('drop schema public cascade; create schema public');
  await client.end();
  const { values } = base.app.get(Config);
  await restoreBackup(
    { ...values, databaseUrl: url },
    { backup, isCheck: false, identityFile: undefined, acceptUnauthenticated: true },
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pierhead-release-'));
  base = await startWorld({ env: KEYS });
  const backup = existsSync(LAST_RELEASE) ? LAST_RELEASE : await makeRelease();
  const manifest = (await unzipped(await readFile(backup))).get('manifest.json');
  ({ migrations: released } = JSON.parse(String(manifest)) as { readonly migrations: readonly string[] });
  database = await newDatabase();
  await restoreInto(database.url, backup);
  world = await startWorld({ with: { ...base, database } });
  source = world.app.get(DataSource);
});
afterAll(async () => {
  await world.close();
  await database.drop();
  await base.close();
  await rm(folder, { recursive: true });
});

describe('a database of the last release', () => {
  it('has rows in every table once it is restored here', async () => {
    expect(await emptyTables(source)).toEqual([]);
  });

  it('is brought here by migrations of which none keeps a large table from its users', async () => {
    const added = source.migrations.filter(({ name }) => !released.includes(name ?? ''));
    for (const _ of added) await source.undoLastMigration();
    for (const migration of added) {
      expect({ migration: migration.name, keeps: await heldTables(source, migration) }).toMatchObject({ keeps: [] });
      await migrate(database.url, {
        migrations: MIGRATIONS.slice(0, MIGRATIONS.findIndex(({ name }) => name === migration.name) + 1),
      });
    }
  });

  it.each<[string, string, readonly string[]]>([
    ['adds a column', 'alter table license add note text', []],
    ['adds a column with a default', "alter table license add note text not null default 'none'", []],
    ['adds a table that refers to another', 'create table thing (license_id uuid references license(id))', []],
    [
      'adds a constraint for new rows',
      "alter table seat add constraint seat_seen check (last_seen_at > '2000-01-01') not valid",
      [],
    ],
    ['makes an index', 'create index on seat (label)', ['seat']],
    ['checks all rows', "alter table event add constraint event_at check (at > '2000-01-01')", ['event']],
    [
      'forbids null',
      'alter table license alter buyer_email drop not null; alter table license alter buyer_email set not null',
      ['license'],
    ],
    ['writes a table anew', 'alter table seat alter label type varchar(40)', ['seat']],
    ['changes all rows', "update event set message = 'none'", ['event']],
  ])('would show a migration that %s for what it keeps', async (_, sql, kept) => {
    const up = async (runner: QueryRunner): Promise<void> => {
      await runner.query(sql);
    };
    expect(await heldTables(source, { up, down: up })).toEqual(kept);
  });
});

describe('an upgrade', () => {
  /** Asks the version before for what needs the tables that change, until it is told to stop. */
  const served = async (until: Promise<unknown>): Promise<readonly number[]> => {
    const { token, extensionId, planId } = await world.given.licensed();
    const over = new AbortController();
    const ended = until.finally(() => over.abort());
    const statuses: number[] = [];
    while (!over.signal.aborted || statuses.length === 0) {
      const { status, body } = await world.api.as({ token }).post('/licenses', { planId, buyerEmail: 'a@b.example' });
      statuses.push(status);
      const activation = { code: body.code, extensionId, fingerprint: 'a device' };
      statuses.push((await world.api.post('/licensing/activate', activation)).status);
    }
    await ended;
    return statuses;
  };

  const long = async <T>(work: (client: InstanceType<typeof pg.Client>) => Promise<T>): Promise<T> => {
    const client = new pg.Client(database.url);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };

  (isOnServer ? it : it.skip)(
    'gives way to a long transaction, lets everybody else pass meanwhile, and changes nothing then',
    async () => {
      await long(async (client) => {
        await client.query('begin; select from event limit 1');
        const blocked = migrate(database.url, { migrations: NEXT, lockWaitMs: 50, attempts: 5 }).catch(String);
        expect(new Set(await served(blocked))).toEqual(new Set([200, 201]));
        expect(await blocked).toMatch(/^MigrationsFailed: .* Nothing was changed/);
      });
      expect(await source.showMigrations()).toBe(false);
    },
  );

  it('begins again when PostgreSQL ends it because it and a transaction wait for each other', async () => {
    let attempts = 0;
    class Crossing2000000000000 implements MigrationInterface {
      name = 'Crossing2000000000000';

      async up(runner: QueryRunner): Promise<void> {
        attempts += 1;
        await runner.query('create table crossing (id uuid)');
        // Which of two transactions PostgreSQL ends depends on time, so it is told to.
        if (attempts < 3) await runner.query(`do $$ begin raise exception 'deadlock' using errcode = '40P01'; end $$`);
      }

      down(): Promise<void> {
        return Promise.reject(new Error('Nobody undoes it'));
      }
    }
    const migrations = [...MIGRATIONS, Crossing2000000000000];
    expect(await migrate(database.url, { migrations, lockWaitMs: 50 })).toEqual(['Crossing2000000000000']);
    expect(attempts).toBe(3);
    await source.query('drop table crossing');
    await source.query(`delete from migration where name = 'Crossing2000000000000'`);
  });

  (isOnServer ? it : it.skip)('runs while the version before serves', async () => {
    const ran = migrate(database.url, { migrations: NEXT });
    expect(new Set(await served(ran))).toEqual(new Set([200, 201]));
    expect(await ran).toEqual(['Next1999000000000']);
  });

  it('lets the version before start no more, nor migrate', async () => {
    await migrate(database.url, { migrations: NEXT });
    await expect(migrate(database.url)).rejects.toThrow(NewerSchema);
    await expect(migrate(database.url)).rejects.toThrow('this one does not know Next1999000000000');
  });
});
