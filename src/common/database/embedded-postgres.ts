import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import pg from 'pg';
import { makeFolder, syncAllToDisk, syncToDisk } from '../system/index.js';
import { lockDataDir } from './data-dir-lock.js';
import { DurableNodeFs } from './durable-node-fs.js';
import { inWholeQueries } from './whole-queries.js';

export interface RunningDatabase {
  readonly url: string;
  stop(): Promise<void>;
}

/** More than any pool of this process opens. */
const MAX_CONNECTIONS = 250;
/** Names the socket, as PostgreSQL's own are named; nothing listens on a port. */
const PORT = 5432;
const SOCKET = `.s.PGSQL.${PORT}`;
/** What every system takes as the path of a socket: 107 bytes on Linux, and on macOS these. */
const MAX_SOCKET_PATH_BYTES = 103;
/** PGlite's own without `-F`, which turns fsync off; sized for a small machine, where PostgreSQL's 128 MB of buffers would be most of the memory. */
const START_PARAMETERS = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...['wal_sync_method=fsync', 'shared_buffers=16MB', 'min_wal_size=32MB', 'max_wal_size=64MB'].flatMap((setting) => [
    '-c',
    setting,
  ]),
];
/** Makes a cluster; run in a process of its own, which takes 700 MB with it when it ends. */
const MAKE_CLUSTER = 'require(process.argv[1]).PGlite.create(process.argv[2]).then((made) => made.close())';
const DRAFT = 'postgres.new.';
const CHECKPOINT_EVERY_MS = 60_000;
/** Nobody waits long for so much to be read again after a crash. */
const CHECKPOINT_AFTER_BYTES = 32 * 1024 * 1024;

/**
 * PostgreSQL inside this process (PGlite), kept in `DATA_DIR/postgres` and reached by the ordinary driver, so that nothing else knows, over
 * a socket that no other user of this machine can open: it asks for no password. All its connections share one session: no named prepared
 * statements, no session locks.
 * @throws DataDirInUse when another process has the folder
 * @throws DatabaseNotDurable when what it acknowledges would not be on the disk
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  checkpointEveryMs = CHECKPOINT_EVERY_MS,
): Promise<RunningDatabase> {
  const lock = await lockDataDir(dataDir);
  try {
    const served = await servePostgres(await openCluster(await cluster(dataDir)), join(dataDir, 'socket'));
    let checkpoints = Promise.resolve();
    const timer = setInterval(() => {
      checkpoints = checkpoints.then(() => checkpoint(served.url)).catch(() => undefined);
    }, checkpointEveryMs);
    timer.unref();
    return {
      url: served.url,
      stop: async () => {
        clearInterval(timer);
        await checkpoints;
        await served.stop();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** The folder of the cluster, made if it is not there: under another name, so that a crash leaves none that is half made. */
async function cluster(dataDir: string): Promise<string> {
  const folder = join(dataDir, 'postgres');
  const isThere = await stat(join(folder, 'PG_VERSION')).catch(() => null);
  if (isThere !== null) return folder;
  for (const name of await readdir(dataDir))
    if (name.startsWith(DRAFT)) await rm(join(dataDir, name), { recursive: true, force: true }).catch(() => undefined);
  const draft = join(dataDir, `${DRAFT}${randomUUID()}`);
  await makeFolder(draft);
  const path = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const maker = spawn(process.execPath, ['-e', MAKE_CLUSTER, path, draft], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(maker, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The embedded database could not be made in ${draft}`);
  await syncAllToDisk(draft);
  await rm(folder, { recursive: true, force: true });
  await rename(draft, folder);
  await syncToDisk(dataDir);
  return folder;
}

/** @throws DatabaseNotDurable when what it acknowledges would not be on the disk */
async function openCluster(folder: string): Promise<PGlite> {
  const fs = new DurableNodeFs(folder, (error) => {
    process.stderr.write(`The disk does not keep what is written to ${folder}: ${String(error)}\n`);
    process.exit(1);
  });
  const database = await PGlite.create({ fs, startParams: START_PARAMETERS });
  await fs.provenBy(database);
  return database;
}

/** PostgreSQL leaves this to a process that there is none of here: its log would grow for as long as this one runs. */
async function checkpoint(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ bytes: string }>(
      'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn) as bytes from pg_control_checkpoint()',
    );
    if (Number(rows[0]?.bytes) > CHECKPOINT_AFTER_BYTES) await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

/**
 * Serves one PGlite on a socket.
 * @param wanted a folder that nothing else is served in; a fresh one of the system's temporary folder without it, or where its path is too
 * long for a socket
 */
export async function servePostgres(database: PGlite, wanted?: string): Promise<RunningDatabase> {
  const folder = await socketFolder(wanted);
  const path = join(folder, SOCKET);
  // What a killed process has left would be an address in use.
  await rm(path, { force: true });
  const server = new PGLiteSocketServer({ db: inWholeQueries(database), path, maxConnections: MAX_CONNECTIONS });
  await server.start();
  return {
    url: `postgres://postgres@${encodeURIComponent(folder)}:${PORT}/postgres`,
    stop: async () => {
      await server.stop();
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A folder that only this user may enter: whoever reaches the socket may do anything. */
async function socketFolder(wanted: string | undefined): Promise<string> {
  const folder = wanted === undefined ? null : resolve(wanted);
  if (folder === null || Buffer.byteLength(join(folder, SOCKET)) > MAX_SOCKET_PATH_BYTES)
    return mkdtemp(join(tmpdir(), 'pierhead-postgres-'));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  return folder;
}
