import { chmod, mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import pg from 'pg';
import { MINUTE_MS } from '../../system/index.js';
import { clusterIn, hasCluster } from './cluster.js';
import { DataDirInUse, lockDataDir } from './data-dir-lock.js';
import { DurableNodeFs } from './durable-node-fs.js';
import { inWholeQueries } from './whole-queries.js';

export interface RunningDatabase {
  readonly url: string;
  stop(): Promise<void>;
}

/** The folder has no embedded database. */
export class NoEmbeddedDatabase extends Error {
  override readonly name = 'NoEmbeddedDatabase';
}

/** More than any pool of this process opens. */
const MAX_CONNECTIONS = 250;
/** Part of the socket's name, as PostgreSQL names sockets; nothing listens on a port. */
const PORT = 5432;
const SOCKET = `.s.PGSQL.${PORT}`;
const SOCKET_FOLDER = 'socket';
/** The longest socket path on macOS; Linux allows 107 bytes. */
const MAX_SOCKET_PATH_BYTES = 103;
/** PGlite's parameters without `-F`, which turns fsync off, and sized for a small machine: PostgreSQL's default of 128 MB of buffers is too much. */
const START_PARAMETERS = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...['wal_sync_method=fsync', 'shared_buffers=8MB', 'min_wal_size=32MB', 'max_wal_size=64MB'].flatMap((setting) => [
    '-c',
    setting,
  ]),
];
const CHECKPOINT_EVERY_MS = MINUTE_MS;
/** Small enough to be replayed quickly after a crash. */
const CHECKPOINT_AFTER_BYTES = 32 * 1024 * 1024;

/**
 * Starts PostgreSQL inside this process (PGlite), with its files in `DATA_DIR/postgres`. The ordinary driver reaches it over a socket that
 * no other user of this machine can open, since it has no password. All connections share one session: no named prepared statements and no
 * session locks.
 * @throws DataDirInUse when another process uses the folder
 * @throws DatabaseNotDurable when commits would not be flushed to the disk
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  checkpointEveryMs = CHECKPOINT_EVERY_MS,
): Promise<RunningDatabase> {
  const lock = await lockDataDir(dataDir);
  try {
    const served = await servePostgres(await openCluster(await clusterIn(dataDir)), join(dataDir, SOCKET_FOLDER));
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
        await lock.unlock();
      },
    };
  } catch (error) {
    await lock.unlock();
    throw error;
  }
}

/**
 * Reaches the embedded database for a short-lived command: over the socket of the process that serves it, or else by serving it until `stop`.
 * @throws NoEmbeddedDatabase when the service was never started in the folder
 * @throws DataDirInUse when the process that uses the folder does not serve the database now
 */
export async function reachEmbeddedPostgres(dataDir: string): Promise<RunningDatabase> {
  if (!(await hasCluster(dataDir)))
    throw new NoEmbeddedDatabase(`${dataDir} has no database. Set DATA_DIR or DATABASE_URL as for the service.`);
  try {
    return await startEmbeddedPostgres(dataDir);
  } catch (error) {
    const served = error instanceof DataDirInUse ? await servedIn(dataDir) : null;
    if (served === null) throw error;
    return served;
  }
}

/** Finds the socket of the process that serves the database; null when nothing answers there. */
async function servedIn(dataDir: string): Promise<RunningDatabase | null> {
  const folder = await realpath(join(dataDir, SOCKET_FOLDER)).catch(() => null);
  if (folder === null) return null;
  const client = new pg.Client(urlOf(folder));
  try {
    await client.connect();
    return { url: urlOf(folder), stop: async () => undefined };
  } catch {
    return null;
  } finally {
    await client.end();
  }
}

/** @throws DatabaseNotDurable when commits would not be flushed to the disk */
async function openCluster(folder: string): Promise<PGlite> {
  const fs = new DurableNodeFs(folder, (error) => {
    process.stderr.write(`Writes to ${folder} failed: ${String(error)}\n`);
    process.exit(1);
  });
  const database = await PGlite.create({ fs, startParams: START_PARAMETERS });
  await fs.assertDurable(database);
  return database;
}

/** Runs a checkpoint. PGlite has no background process for it, and its log would grow without end. */
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
 * @param wanted a folder for the socket alone, by default a new temporary folder; when the path is too long for a socket, a link at it leads
 *   to a temporary folder
 */
export async function servePostgres(database: PGlite, wanted?: string): Promise<RunningDatabase> {
  const folder = await socketFolder(wanted);
  const path = join(folder, SOCKET);
  // A killed process leaves its socket behind.
  await rm(path, { force: true });
  const server = new PGLiteSocketServer({ db: inWholeQueries(database), path, maxConnections: MAX_CONNECTIONS });
  await server.start();
  return {
    url: urlOf(folder),
    stop: async () => {
      await server.stop();
      await database.close();
      await rm(folder, { recursive: true, force: true });
      if (wanted !== undefined) await rm(wanted, { recursive: true, force: true });
    },
  };
}

const urlOf = (folder: string): string => `postgres://postgres@${encodeURIComponent(folder)}:${PORT}/postgres`;

/** Returns a folder that only this user can enter, since the socket grants full access. */
async function socketFolder(wanted: string | undefined): Promise<string> {
  if (wanted === undefined) return temporaryFolder();
  const folder = resolve(wanted);
  await rm(folder, { recursive: true, force: true });
  if (Buffer.byteLength(join(folder, SOCKET)) > MAX_SOCKET_PATH_BYTES) {
    const elsewhere = await temporaryFolder();
    await symlink(elsewhere, folder);
    return elsewhere;
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  return folder;
}

const temporaryFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'pierhead-postgres-'));
