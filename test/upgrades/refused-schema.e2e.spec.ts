import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { assertSchema, examine, migrate, pg, readEnvironment, startFault, verifyKeys } from '../support/app.js';
import { newDatabase, type TestDatabase } from '../support/database.js';
import { run, startService } from '../support/process.js';
import { KEYS } from './release.js';

const CONFIGURATION = 78;

describe('a database that is not as the migrations make it', () => {
  let folder: string;
  let database: TestDatabase;
  let env: Readonly<Record<string, string>>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pierhead-drift-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  beforeEach(async () => {
    database = await newDatabase();
    env = { ...KEYS, DATABASE_URL: database.url, DATA_DIR: folder };
    await verifyKeys(database.url, readEnvironment(env), false);
    return () => database.drop();
  });

  const sql = async (statements: string): Promise<void> => {
    const client = new pg.Client(database.url);
    await client.connect();
    await client.query(statements);
    await client.end();
  };
  /** @returns what the doctor finds about the schema */
  const diagnosis = async () => {
    const findings = await examine(env, (error) => startFault(error)?.sentence ?? null);
    return findings.find(({ check }) => check === 'migrations');
  };

  it('is refused by name before anything listens, whether or not the service migrates', async () => {
    await sql('alter table license drop column buyer_email');
    const why =
      'The database is not as this version of Pierhead makes it: column license.buyer_email is missing, index license.';
    for (const program of ['dist/main.js', 'dist/commands/migrate.js']) {
      const ended = await run([program], env);
      expect(ended).toMatchObject({ code: CONFIGURATION, stderr: expect.stringContaining(why) });
      expect(ended.stdout + ended.stderr).not.toMatch(/listening|\n\s+at /);
    }
    await expect(migrate(database.url)).rejects.toThrow(why);
    await expect(assertSchema(database.url, false)).rejects.toThrow(why);
    expect(await diagnosis()).toMatchObject({ state: 'fault', message: expect.stringContaining(why) });
  });

  it('starts all the same where the operator says so', async () => {
    await sql('alter table license add note text');
    await expect(migrate(database.url)).rejects.toThrow("column license.note is not Pierhead's");
    env = { ...env, ALLOW_SCHEMA_DRIFT: 'true' };
    expect(await diagnosis()).toMatchObject({ state: 'warning' });
    const service = await startService(env);
    await service.kill();
    await assertSchema(database.url, true);
  });

  it('of another program is refused by its name', async () => {
    await sql(`insert into migration (timestamp, name) values (1, 'Init1')`);
    await expect(migrate(database.url)).rejects.toThrow("another program's: its table migration has Init1. Give");
    await sql('alter table migration drop column oldest_version');
    await expect(migrate(database.url)).rejects.toThrow("another program's: its table migration has Init1. Give");
    await sql('drop table migration');
    const ended = await run(['dist/main.js'], env);
    const stderr = expect.stringMatching(/another program's: relation "\w+" already exists\. Give/);
    expect(ended).toMatchObject({ code: CONFIGURATION, stderr });
    expect(ended.stderr).not.toMatch(/\n\s+at /);
  });

  it("with tables and indexes of the operator's own is a note of the doctor", async () => {
    await sql('create table mine (id uuid primary key); create index mine_too on license (id)');
    expect(await migrate(database.url)).toEqual([]);
    await assertSchema(database.url, false);
    expect(await diagnosis()).toMatchObject({
      state: 'ok',
      message: expect.stringMatching(
        /^The schema is \w+, the one of version .+ Not Pierhead's: index license\.mine_too, table mine\.$/,
      ),
    });
  });

  it('of a version before 1.0.0 is told apart from that of a newer one', async () => {
    await sql(`update migration set name = 'Schema1795000000000'; alter table license drop column buyer_email`);
    const why =
      /before 1\.0\.0, which cannot be upgraded: column license\.buyer_email is missing, .+ Start with an empty one/;
    await expect(migrate(database.url)).rejects.toThrow(why);
    await expect(assertSchema(database.url, true)).rejects.toThrow(why);
    expect(await diagnosis()).toMatchObject({ state: 'fault', message: expect.stringMatching(why) });
  });
});
