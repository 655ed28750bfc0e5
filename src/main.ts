import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Clock, probeFolder } from './common/system/index.js';
import { completeConfig, isLoopback, readEnvironment } from './common/config/index.js';
import { migrate, startEmbeddedPostgres } from './common/database/index.js';
import { makePino, PinoLog } from './common/observability/index.js';
import { makeApp } from './app.setup.js';
import { ACCEPT_LOST_KEYS, settleKeys } from './settle-keys.js';
import { startFault } from './start-fault.js';

/** Requests that are still open this long after SIGTERM are cut. */
const DRAIN_MS = 20_000;
/** Work that is still in hand this long after SIGTERM is left to the next start, as after a crash. */
const STOP_MS = 22_000;
/** The longest that the embedded database may take to close; it recovers at the next start. */
const CLOSE_MS = 2_000;
/** Who is connected when the service is told to stop may ask once more within this time. */
const LINGER_MS = 500;

async function main(): Promise<void> {
  const read = readEnvironment(process.env);
  const log = new PinoLog(makePino(read.logLevel));
  await probeFolder(read.dataDir);
  const embedded = read.databaseUrl === undefined ? await startEmbeddedPostgres(read.dataDir) : null;
  if (read.publicUrl === undefined && !isLoopback(read.host))
    log.warn(
      { msg: 'PUBLIC_URL is not set: links lead to this machine alone, and session cookies need https' },
      'Pierhead',
    );
  const databaseUrl = embedded?.url ?? read.databaseUrl ?? '';
  if (read.migrateOnStart) {
    const migrations = await migrate(databaseUrl);
    if (migrations.length > 0) log.log({ msg: 'database migrated', migrations }, 'Database');
  }
  const { secrets, notes } = await settleKeys(databaseUrl, read, process.argv.includes(ACCEPT_LOST_KEYS));
  for (const note of notes) log.warn({ msg: note }, 'Keys');
  const config = completeConfig(read, secrets);
  const app = await makeApp({ config, clock: new Clock(), databaseUrl }, log);
  await app.listen(config.port, config.host);
  log.log({ msg: 'listening', url: await app.getUrl(), database: config.embedded ? 'embedded' : 'server' }, 'Pierhead');

  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.log({ msg: 'stopping', signal }, 'Pierhead');
    const server = app.getHttpServer();
    const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    letNobodyElseIn(server);
    if (!(await endsWithin(STOP_MS, app.close()))) log.warn({ msg: 'stopping took too long' }, 'Pierhead');
    clearTimeout(cut);
    await endsWithin(CLOSE_MS, embedded?.stop());
    log.log({ msg: 'stopped' }, 'Pierhead');
    // Nothing that a stranger holds open may keep the process.
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
}

/** Whether work ends within a time. */
const endsWithin = (ms: number, work: Promise<void> | undefined): Promise<boolean> =>
  Promise.race([Promise.resolve(work).then(() => true), pause(ms, false)]);

/** Takes no new connections, and closes each that there is with the answer to what is asked on it; those on which nothing is asked, soon. */
function letNobodyElseIn(server: Server): void {
  server.prependListener('request', (_request, response) => (response.shouldKeepAlive = false));
  // To close a server closes what is idle, and what was just being sent there would be lost with it.
  const closeIdle = server.closeIdleConnections.bind(server);
  // Again and again, for those whose question was under way and is answered later.
  server.closeIdleConnections = () => void setInterval(closeIdle, LINGER_MS).unref();
  server.close();
}

main().catch((error: unknown) => {
  const fault = startFault(error, process.env['HOST']);
  const unknown = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${fault?.sentence ?? unknown}\n`);
  process.exit(fault?.exitCode ?? 1);
});
