import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { QueryRunner } from 'typeorm';
import { LocalStorage } from '../licensing/local-storage.js';
import { unzipped } from '../tenant-data/tenant-fixture.js';
import { newDatabase, type TestDatabase } from '../support/database.js';
import {
  assertSchema,
  Config,
  DataSource,
  examine,
  migrate,
  MIGRATIONS,
  NewerSchema,
  pg,
  restoreBackup,
  startFault,
  startWorld,
  VERSION,
  type Migration,
  type World,
} from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { emptyTables } from './every-table.js';
import { heldTables } from './held-tables.js';
import {
  contentOf,
  digestOfPackage,
  keptRelease,
  KEYS,
  licensingOf,
  makeRelease,
  RELEASES,
  type Held,
} from './release.js';

const isOnServer = (process.env['TEST_DATABASE_URL'] ?? '') !== '';

/** What the next version might bring: changes of tables that every request reads. */
class Next1999000000000 implements Migration {
  readonly name = 'Next1999000000000';
  readonly oldestVersion: string = VERSION;
  /** Whether the next attempt takes long enough for queries to wait for tables of it and to hold others that it needs. */
  static isSlowOnce = false;

  async up(runner: QueryRunner): Promise<void> {
    const seconds = Next1999000000000.isSlowOnce ? 0.2 : 0;
    Next1999000000000.isSlowOnce = false;
    for (const table of ['license', 'seat', 'extension', 'target', 'event', 'session', 'access_token']) {
      await runner.query(`alter table ${table} add next_note text`);
      await runner.query('select pg_sleep($1)', [seconds]);
    }
    await runner.query('create table next_thing (id uuid primary key, license_id uuid references license(id))');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Nobody undoes it'));
  }
}

const isMakingRelease = process.env['KEEP_RELEASE'] === '1';
// A release is made before the clock is set back to that of an earlier one, by which no store would take a token.
const TESTED = isMakingRelease ? ['this version', ...RELEASES] : RELEASES;
const NEXT = [...MIGRATIONS, Next1999000000000];

let folder: string;
/** Whose stores, folder and clock the upgraded services share; a release is made on it. */
let base: World;
let database: TestDatabase;
let world: World;
let source: DataSource;
let close = (): Promise<void> => Promise.resolve();
let held: Held;
/** The migrations that the release had. */
let released: readonly string[];

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
});
afterAll(async () => {
  await close();
  await base.close();
  await rm(folder, { recursive: true });
});

describe.each(TESTED)('a database of %s', (version) => {
  beforeAll(async () => {
    // That of the release before; the last one stays for the upgrades below.
    await close();
    const release = RELEASES.includes(version) ? await keptRelease(version) : await makeRelease(base, folder);
    ({ held } = release);
    const manifest = (await unzipped(await readFile(release.backup))).get('manifest.json');
    ({ migrations: released } = JSON.parse(String(manifest)) as { readonly migrations: readonly string[] });
    database = await newDatabase();
    await restoreInto(database.url, release.backup);
    base.clock.forward(new Date(held.at).getTime() - base.clock.now().getTime());
    world = await startWorld({ with: { ...base, database } });
    source = world.app.get(DataSource);
    close = async () => {
      await world.close();
      await database.drop();
    };
  });

  it('has all rows once it is restored here, and each as it was', async () => {
    expect(await contentOf(source, held.tables)).toEqual(held.tables);
    // Tables that came later are empty.
    expect((await emptyTables(source)).filter((table) => Object.hasOwn(held.tables, table))).toEqual([]);
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

  it('serves its people: sessions, tokens, orders and packages', async () => {
    expectStatus(await world.api.as({ cookie: held.cookie }).get('/auth/me'), 200);
    const api = world.api.as(held);
    expect(expectStatus(await api.get('/orders'), 200).body.items).toEqual(held.orders);
    const { items } = expectStatus(await api.get(`/licenses/${held.licenseId}/members`), 200).body;
    expect(items).toMatchObject([{ email: held.member }]);
    expect(await digestOfPackage(world, held)).toBe(held.package.sha256);
  });

  it('serves its buyers: leases verify offline, the seat holds, the code activates', async () => {
    const device = new LocalStorage();
    await device.set(held.device);
    const active = { isActive: true, seats: { used: 1, max: 1 } };
    const offline = licensingOf(world, held, device, true);
    expect(await offline.check({ force: true })).toMatchObject({ isActive: true, isOffline: true });
    const licensing = licensingOf(world, held, device);
    expect(await licensing.check({ force: true })).toMatchObject(active);
    const another = licensingOf(world, held, new LocalStorage());
    expect(await another.activate(held.code)).toMatchObject({ isActive: false, reason: 'seat_limit_reached' });
    expect(await licensing.activate(held.code)).toMatchObject(active);
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
  /** Asks the version before for what needs the tables that change, while they change. */
  const served = async (change: () => Promise<unknown>): Promise<ReadonlySet<number>> => {
    const { token, extensionId, planId } = await world.given.licensed();
    const api = world.api.as({ token });
    const issue = () => api.post('/licenses', { planId, buyerEmail: 'a@b.example' });
    const { code } = expectStatus(await issue(), 201).body;
    const activate = () => world.api.post('/licensing/activate', { code, extensionId, fingerprint: 'a device' });
    const changed = new AbortController();
    const statuses = new Set<number>();
    const repeat = async (call: typeof issue): Promise<void> => {
      while (!changed.signal.aborted) statuses.add((await call()).status);
    };
    const callers = [issue, activate, activate].map(repeat);
    await change().finally(() => changed.abort());
    await Promise.all(callers);
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
        let refusal = '';
        const blocked = async (): Promise<void> => {
          refusal = await migrate(database.url, { migrations: NEXT, lockWaitMs: 50, attempts: 5 }).then(String, String);
        };
        expect(await served(blocked)).toEqual(new Set([200, 201]));
        expect(refusal).toMatch(/^MigrationsFailed: .* Nothing was changed/);
      });
      expect(await source.showMigrations()).toBe(false);
    },
  );

  it('begins again when PostgreSQL ends it because it and a transaction wait for each other', async () => {
    let attempts = 0;
    class Crossing2000000000000 implements Migration {
      readonly name = 'Crossing2000000000000';
      readonly oldestVersion = VERSION;

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
    let ran: readonly string[] = [];
    const change = async (): Promise<void> => {
      Next1999000000000.isSlowOnce = true;
      ran = await migrate(database.url, { migrations: NEXT });
    };
    expect(await served(change)).toEqual(new Set([200, 201]));
    expect(ran).toEqual(['Next1999000000000']);
  });

  it('lets the version before start for as long as it may serve the new schema', async () => {
    await migrate(database.url, { migrations: NEXT });
    expect(await migrate(database.url)).toEqual([]);
    await assertSchema(database.url, false);
    const env = { ...KEYS, DATABASE_URL: database.url, DATA_DIR: base.dataDir };
    const findings = await examine(env, (error) => startFault(error)?.sentence ?? null);
    expect(findings.find(({ check }) => check === 'migrations')).toMatchObject({
      state: 'ok',
      message: `The schema is a newer version's (Next1999000000000), which ${VERSION} may still serve.`,
    });
    expect(findings.find(({ check }) => check === 'keys')).toMatchObject({ state: 'ok' });
    await source.query(`update migration set oldest_version = '99.10.0' where name = 'Next1999000000000'`);
    const refusal = new RegExp(
      `which 99[.]10[.]0 and later serve. This is ${VERSION}, which does not know Next1999000000000`,
    );
    await expect(migrate(database.url)).rejects.toThrow(NewerSchema);
    await expect(migrate(database.url)).rejects.toThrow(refusal);
    await expect(assertSchema(database.url, true)).rejects.toThrow(refusal);
  });
});
