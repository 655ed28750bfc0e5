import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { lockDataDir } from './data-dir-lock.js';
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

/**
 * PostgreSQL inside this process (PGlite), kept in `DATA_DIR/postgres` and reached by the ordinary driver, so that nothing else knows, over
 * a socket that no other user of this machine can open: it asks for no password. All its connections share one session: no named prepared
 * statements, no session locks.
 * @throws DataDirInUse when another process has the folder
 */
export async function startEmbeddedPostgres(dataDir: string): Promise<RunningDatabase> {
  const lock = await lockDataDir(dataDir);
  try {
    const folder = join(dataDir, 'postgres');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const served = await servePostgres(await PGlite.create({ dataDir: folder }), join(dataDir, 'socket'));
    return {
      url: served.url,
      stop: async () => {
        await served.stop();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
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
