import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
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

/**
 * PostgreSQL inside this process (PGlite), kept in `DATA_DIR/postgres` and reached over loopback by the ordinary driver, so that
 * nothing else knows. All its connections share one session: no named prepared statements, no session locks.
 * @throws DataDirInUse when another process has the folder
 */
export async function startEmbeddedPostgres(dataDir: string): Promise<RunningDatabase> {
  const lock = await lockDataDir(dataDir);
  try {
    const folder = join(dataDir, 'postgres');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const served = await servePostgres(await PGlite.create({ dataDir: folder }));
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

/** Serves one PGlite on a loopback port that the system chooses. */
export async function servePostgres(database: PGlite): Promise<RunningDatabase> {
  const server = new PGLiteSocketServer({
    db: inWholeQueries(database),
    host: '127.0.0.1',
    port: 0,
    maxConnections: MAX_CONNECTIONS,
  });
  await server.start();
  return {
    url: `postgres://postgres@${server.getServerConn()}/postgres`,
    stop: async () => {
      await server.stop();
      await database.close();
    },
  };
}
