import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../data-source.js';
import { lockDataDir } from './data-dir-lock.js';
import {
  reachEmbeddedPostgres,
  servePostgres,
  startEmbeddedPostgres,
  type RunningDatabase,
} from './embedded-postgres.js';

const BUILT = fileURLToPath(new URL('../../../../dist/common/database/embedded/embedded-postgres.js', import.meta.url));
const CONNECTIONS = 12;
const MEGABYTE = 1024 * 1024;
/** Of a whole process with nothing but the database in it; PostgreSQL's own settings take 300. */
const MAX_MEGABYTES = 220;
/** Seconds, and many of them on a busy machine. */
const MAKES_CLUSTER_MS = 300_000;

/** The folder of its socket. */
const folderOf = ({ url }: RunningDatabase): string => decodeURIComponent(new URL(url).hostname);
const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

describe('the embedded database', () => {
  let database: RunningDatabase;
  let pool: pg.Pool;
  beforeAll(async () => {
    database = await servePostgres(await PGlite.create());
    pool = new pg.Pool({ connectionString: database.url, max: CONNECTIONS + 1 });
    await pool.query('create table thing (name text primary key)');
    await Promise.all(Array.from({ length: CONNECTIONS + 1 }, () => pool.query('select 1')));
  });
  afterAll(async () => {
    await pool.end();
    await database.stop();
  });

  const numbers = Array.from({ length: CONNECTIONS }, (_, index) => index);

  /** Runs work on all connections while one transaction keeps them waiting, so that they are all let go at once. */
  async function letGoAtOnce<T>(work: (index: number) => Promise<T>): Promise<readonly PromiseSettledResult<T>[]> {
    const holder = await pool.connect();
    await holder.query('begin');
    const under = Promise.allSettled(numbers.map((index) => work(index)));
    for (let tick = 0; tick < 20; tick += 1) await new Promise(setImmediate);
    await holder.query('commit');
    holder.release();
    return under;
  }

  it('gives each of many connections the rows that it asked for, and nobody else', async () => {
    const answers = await letGoAtOnce(async (index) => {
      const { rows } = await pool.query('select $1::text as mine, $2::int as number', [`of ${index}`, index]);
      return rows[0];
    });
    expect(answers).toEqual(
      numbers.map((index) => ({ status: 'fulfilled', value: { mine: `of ${index}`, number: index } })),
    );
  });

  it('answers every connection while statements of other connections fail', async () => {
    const answers = await letGoAtOnce(async (index) => {
      if (index % 3 === 0) return (await pool.query('select 1 / $1::int as never', [0])).rows[0];
      if (index % 3 === 1) return (await pool.query(`select 'plain ${index}' as mine`)).rows[0];
      return (await pool.query('select $1::text as mine', [`bound ${index}`])).rows[0];
    });
    expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : answer.reason.code))).toEqual(
      numbers.map((index) => ['22012', { mine: `plain ${index}` }, { mine: `bound ${index}` }][index % 3]),
    );
  });

  it('keeps the transactions of many connections apart, whether they commit or fail', async () => {
    const answers = await letGoAtOnce(async (index) => {
      const client = await pool.connect();
      try {
        await client.query('begin');
        await client.query('insert into thing values ($1)', [`first of ${index}`]);
        await client.query('insert into thing values ($1)', [index % 2 === 0 ? `second of ${index}` : 'taken']);
        await client.query('commit');
        return 'commit';
      } catch {
        await client.query('rollback');
        return 'rollback';
      } finally {
        client.release();
      }
    });
    const odd = answers.flatMap((answer, index) =>
      index % 2 === 1 && answer.status === 'fulfilled' ? answer.value : [],
    );
    expect(odd.toSorted()).toEqual(['commit', ...odd.slice(1).map(() => 'rollback')]);
    const { rows } = await pool.query('select count(*)::int as count from thing');
    expect(rows[0].count).toBe(2 * (CONNECTIONS / 2 + 1));
  });

  it('continues when a connection breaks off during a transaction', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    client.on('error', () => undefined);
    await client.query('begin');
    await client.query('insert into thing values ($1)', ['never']);
    const waiting = pool.query('select name from thing where name = $1', ['never']);
    (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
    expect((await waiting).rows).toEqual([]);
  });

  it.each([
    ['before it was answered', 'select 1'],
    ['after it went wrong', 'select wrong'],
  ])('continues when a connection breaks off during a query, %s', async (_, sql) => {
    const socket = connect(join(folderOf(database), '.s.PGSQL.5432'));
    const startup = Buffer.from('\0\0\0\x18\0\x03\0\0user\0postgres\0\0', 'latin1');
    startup.writeInt32BE(startup.length);
    socket.write(startup);
    await once(socket, 'data');
    const message = Buffer.from(`P\0\0\0\0\0${sql}\0\0\0`, 'latin1');
    message.writeInt32BE(message.length - 1, 1);
    socket.write(message);
    await once(socket, 'data');
    const waiting = pool.query('select $1::text as mine', ['mine']);
    socket.destroy();
    expect((await waiting).rows).toEqual([{ mine: 'mine' }]);
  });
});

describe('the folder of the embedded database', () => {
  let dataDir: string;
  let megabytes: number;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'pierhead-é %-'));
    for (const name of ['postgres', 'postgres.new.left-by-another']) {
      await mkdir(join(dataDir, name));
      await writeFile(join(dataDir, name, 'half'), '');
    }
    megabytes = await memory();
  }, MAKES_CLUSTER_MS);
  afterAll(() => rm(dataDir, { recursive: true }));

  /** Megabytes that a process holds when the database in it has just started. */
  const memory = async (): Promise<number> => {
    const script = `
      const { startEmbeddedPostgres } = await import(${JSON.stringify(BUILT)});
      const database = await startEmbeddedPostgres(${JSON.stringify(dataDir)});
      process.stdout.write(String(process.memoryUsage.rss()));
      await database.stop();`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return Number(await text(child.stdout)) / MEGABYTE;
  };

  it('is created again where a crash left it incomplete', async () => {
    expect(await readdir(dataDir)).toEqual(['postgres']);
    expect(await readdir(join(dataDir, 'postgres'))).not.toContain('half');
  });

  it('takes no more memory when it is created than when it is opened', async () => {
    expect(megabytes).toBeGreaterThan(0);
    expect(megabytes).toBeLessThan(MAX_MEGABYTES);
    expect(await memory()).toBeLessThan(MAX_MEGABYTES);
  });

  it('does not grow with every write: its log is truncated while it runs', async () => {
    const database = await startEmbeddedPostgres(dataDir, 100);
    const client = new pg.Client(database.url);
    await client.connect();
    const kept =
      'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::int as bytes from pg_control_checkpoint()';
    await client.query('create table thing (content text)');
    await client.query("insert into thing select repeat('x', 1000) from generate_series(1, 40000)");
    let bytes: number;
    do {
      bytes = (await client.query<{ bytes: number }>(kept)).rows[0]?.bytes ?? 0;
    } while (bytes > 32 * MEGABYTE);
    expect(bytes).toBeGreaterThan(0);
    await client.end();
    await database.stop();
  });

  /** Asks as the service does and as a tool would. */
  const asked = async ({ url }: RunningDatabase): Promise<readonly unknown[]> => {
    const source = await new DataSource(dataSourceOptions(url, 1)).initialize();
    const client = new pg.Client(url);
    await client.connect();
    const answers = [await source.query('select 1 as one'), (await client.query('select 1 as one')).rows];
    await Promise.all([source.destroy(), client.end()]);
    return answers.flat();
  };
  const ones = [{ one: 1 }, { one: 1 }];

  it('has its socket where no other user may go, also when a process was killed before or the folder was open to all', async () => {
    const folder = join(dataDir, 'socket');
    await mkdir(folder);
    await chmod(folder, 0o777);
    const listening = `require('net').createServer().listen(${JSON.stringify(join(folder, '.s.PGSQL.5432'))}, () => console.log(1))`;
    const killed = spawn(process.execPath, ['-e', listening], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(killed.stdout, 'data');
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    expect(await readdir(folder)).toEqual(['.s.PGSQL.5432']);

    const database = await startEmbeddedPostgres(dataDir);
    expect(folderOf(database)).toBe(folder);
    expect(await modeOf(folder)).toBe('700');
    expect((await stat(join(folder, '.s.PGSQL.5432'))).isSocket()).toBe(true);
    expect(await asked(database)).toEqual(ones);
    await database.stop();
    expect((await readdir(dataDir)).toSorted()).toEqual(['postgres']);
  });

  it('has its socket in a folder of its own when the path of the data is too long for one, and goes with the process', async () => {
    const elsewhere = join(dataDir, 'x'.repeat(60), 'y'.repeat(60));
    await cp(join(dataDir, 'postgres'), join(elsewhere, 'postgres'), { recursive: true });
    const database = await startEmbeddedPostgres(elsewhere);
    const folder = folderOf(database);
    expect(folder.startsWith(join(tmpdir(), 'pierhead-postgres-'))).toBe(true);
    expect(await modeOf(folder)).toBe('700');
    expect(await asked(database)).toEqual(ones);
    await database.stop();
    await expect(stat(folder)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await readdir(elsewhere)).toEqual(['postgres']);
  });

  it.each([
    ['a path', ''],
    ['a path that is too long for a socket', join('z'.repeat(60), 'y'.repeat(60))],
  ])('is reached by a command while a process serves it at %s, and goes on afterwards', async (_, below) => {
    const folder = join(dataDir, below);
    if (below !== '') await cp(join(dataDir, 'postgres'), join(folder, 'postgres'), { recursive: true });
    const serving = await startEmbeddedPostgres(folder);
    const reached = await reachEmbeddedPostgres(folder);
    expect(reached.url).toBe(serving.url);
    expect(await asked(reached)).toEqual(ones);
    await reached.stop();
    expect(await asked(serving)).toEqual(ones);
    await serving.stop();
  });

  it('is served by a command itself when no process does, also when one was killed', async () => {
    await mkdir(join(dataDir, 'socket'));
    const reached = await reachEmbeddedPostgres(dataDir);
    expect(await asked(reached)).toEqual(ones);
    await expect(startEmbeddedPostgres(dataDir)).rejects.toMatchObject({ name: 'DataDirInUse' });
    await reached.stop();
    expect(await readdir(dataDir)).not.toContain('socket');
  });

  it('is not reached while its process does not answer, nor made by a command', async () => {
    const lock = await lockDataDir(dataDir);
    await expect(reachEmbeddedPostgres(dataDir)).rejects.toMatchObject({ name: 'DataDirInUse' });
    await lock.unlock();
    const empty = join(dataDir, 'empty');
    await expect(reachEmbeddedPostgres(empty)).rejects.toMatchObject({ name: 'NoEmbeddedDatabase' });
    await expect(stat(empty)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
