import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Clock, probeFolder } from './common/system/index.js';
import { completeConfig, isLoopback, readEnvironment } from './common/config/index.js';
import { assertSchema, migrate, startEmbeddedPostgres } from './common/database/index.js';
import { makePino, PinoLog, standardOutput } from './common/observability/index.js';
import { ACCEPT_LOST_KEYS, verifyKeys } from './platform/keys/index.js';
import { printFailure } from './commands/start-fault.js';

/** Connections still open this long after SIGTERM are closed. */
const DRAIN_MS = 20_000;
/** Work still running this long after SIGTERM is left to the next start, as after a crash. */
const STOP_MS = 22_000;
/** Time that the embedded database may take to close; it recovers at the next start. */
const CLOSE_MS = 2_000;
/** Connections that are idle at SIGTERM may send one more request within this time. */
const LINGER_MS = 500;

async function main(): Promise<void> {
  const read = readEnvironment(process.env);
  const log = new PinoLog(makePino(read.logLevel, await standardOutput()));
  await probeFolder(read.dataDir);
  // The embedded database starts in the background for as long as the service takes to load.
  const [embedded, { makeApp }] = await Promise.all([
    read.databaseUrl === undefined ? startEmbeddedPostgres(read.dataDir) : null,
    import('./app.setup.js'),
  ]);
  if (read.publicUrl === undefined && !isLoopback(read.host))
    log.warn(
      { msg: 'PUBLIC_URL is not set: links work on this machine only, and session cookies need https' },
      'Pierhead',
    );
  const databaseUrl = embedded?.url ?? read.databaseUrl ?? '';
  const { allowSchemaDrift } = read;
  if (read.migrateOnStart) {
    const migrations = await migrate(databaseUrl, { allowsDrift: allowSchemaDrift });
    if (migrations.length > 0) log.log({ msg: 'database migrated', migrations }, 'Database');
  } else await assertSchema(databaseUrl, allowSchemaDrift);
  const { secrets, notes } = await verifyKeys(databaseUrl, read, process.argv.includes(ACCEPT_LOST_KEYS));
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
    refuseNewConnections(server);
    // A part that fails to stop must keep neither the embedded database from closing nor the process from ending.
    const logFailure = (error: unknown): void => log.error({ msg: 'stopping failed', err: error }, 'Pierhead');
    if (!(await endsWithin(STOP_MS, app.close().catch(logFailure))))
      log.warn({ msg: 'stopping took too long' }, 'Pierhead');
    clearTimeout(cut);
    await endsWithin(CLOSE_MS, embedded?.stop().catch(logFailure));
    log.log({ msg: 'stopped' }, 'Pierhead');
    // Whatever clients hold open must not keep the process alive.
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
}

/** Whether work ends within a time. */
const endsWithin = (ms: number, work: Promise<void> | undefined): Promise<boolean> =>
  Promise.race([Promise.resolve(work).then(() => true), pause(ms, false)]);

/** Accepts no new connections, and closes the open ones after their next answer, or soon when they are idle. */
function refuseNewConnections(server: Server): void {
  server.prependListener('request', (_request, response) => (response.shouldKeepAlive = false));
  // Closing a server closes idle connections, on which a request may just be arriving.
  const closeIdle = server.closeIdleConnections.bind(server);
  // Repeated, for connections whose request is answered later.
  server.closeIdleConnections = () => void setInterval(closeIdle, LINGER_MS).unref();
  server.close();
}

main().catch((error: unknown) => process.exit(printFailure(error, process.env['HOST'])));
