import { setImmediate } from 'node:timers/promises';
import 'reflect-metadata';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SchedulerRegistry } from '@nestjs/schedule';
import type { OpenAPIObject } from '@nestjs/swagger';
import { makeApp } from '../../src/app.setup.js';
import { completeConfig, readEnvironment } from '../../src/common/config/index.js';
import { makePino, PinoLog } from '../../src/common/observability/log.js';
import { describeApi } from '../../src/operations/documents/index.js';
import { ReconcileWorker } from '../../src/reconcile/index.js';
import { createSandbox, type Sandbox } from '../../sandbox/sandbox.js';
import { Api } from './api.js';
import { TestClock } from './clock.js';
import { newDatabase, type TestDatabase } from './database.js';
import { Given } from './given.js';
import { TestControl } from './keys.js';
import { closedWithFile, emptiedWithFile, failure } from './opened.js';
import { signUpIn } from './people.js';
import { timed } from './timed.js';

const TEST_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

const DRAIN_MS = 10_000;

/** Emptied when all files have run. */
const FOLDER = process.env['TEST_FOLDER'] ?? tmpdir();

/** A whole service under test, with its own database, sandbox, folder and clock. */
export interface World {
  readonly app: NestExpressApplication;
  readonly url: string;
  readonly api: Api;
  readonly given: Given;
  readonly clock: TestClock;
  readonly sandbox: Sandbox;
  readonly control: TestControl;
  readonly database: TestDatabase;
  readonly dataDir: string;
  readonly document: OpenAPIObject;
  /** Every line that was logged, from `trace` up. */
  readonly log: string[];
  /** Writes them. */
  readonly logger: PinoLog;
  /** Moves the service's time and the stores' time together. */
  forward(ms: number): Promise<void>;
  /** Works on everything that is due, as the scheduler would. */
  tick(): Promise<void>;
  close(): Promise<void>;
}

interface Options {
  readonly env?: Readonly<Record<string, string>>;
  /** Those who give the same name and settings use one service, one file after the other; by default those without any settings. */
  readonly shared?: string;
  /** Share these with another world: two processes on one database. */
  readonly with?: Pick<World, 'database' | 'sandbox' | 'dataDir' | 'clock' | 'log'>;
}

/** By the address that each service believes to be its own: nothing else in its environment changes how it is described. */
const documents = new Map<string, OpenAPIObject>();

/** By name, the services that no file uses at present. */
const idle = new Map<string, World>();

/** Starts a service, or hands out the one that the file before has left, emptied. Its scheduler sleeps: a test ticks it when it wants that. */
export async function startWorld(options: Options = {}): Promise<World> {
  const name = options.shared ?? (Object.keys(options).length === 0 ? '' : null);
  if (name === null) return closedOnce(await timed('starts', () => newWorld(options)), (world) => world.close());
  const world = idle.get(name) ?? (await timed('starts', () => newWorld(options)));
  idle.delete(name);
  world.clock.reset();
  // What services say goes to the log of the one that started last.
  world.app.useLogger(world.logger);
  return closedOnce(world, async () => {
    if (!idle.has(name) && !failure.isNoted && (await empty(world))) idle.set(name, world);
    else await world.close();
  });
}

/** The same world, which is closed once: by the file, or after it. */
function closedOnce(world: World, end: (world: World) => Promise<void>): World {
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    forget();
    return (closing ??= end(world));
  };
  const forget = closedWithFile(close);
  return emptiedWithFile({ ...world, close });
}

/** Deletes all that a file has left. @returns whether the next one can use the service */
async function empty({ url, database, dataDir, control, clock, log }: World): Promise<boolean> {
  const ready = await fetch(`${url}/health/ready`).catch(() => null);
  if (ready?.ok !== true || !(await database.empty())) return false;
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) await rm(join(entry.parentPath, entry.name), { force: true });
  await control.reset();
  clock.reset();
  log.length = 0;
  return true;
}

async function newWorld(options: Options): Promise<World> {
  const shared = options.with;
  const database = shared?.database ?? (await newDatabase());
  const dataDir = shared?.dataDir ?? (await mkdtemp(join(FOLDER, 'pierhead-test-')));
  const sandbox = shared?.sandbox ?? (await createSandbox({ tempDir: FOLDER }));
  const clock = shared?.clock ?? new TestClock();
  const log: string[] = shared?.log ?? [];
  const read = readEnvironment({
    PORT: '0',
    DATABASE_URL: database.url,
    DATABASE_POOL: '8',
    DATA_DIR: dataDir,
    ENCRYPTION_KEYS: TEST_KEYS,
    CODE_PEPPERS: TEST_KEYS,
    TOKEN_SECRET: 'a secret that only the tests know and use',
    SIGNUP: 'open',
    RATE_LIMITS: 'off',
    RECONCILE_EVERY_SECONDS: '86400',
    ANALYTICS_EVERY_SECONDS: '86400',
    LOG_LEVEL: 'trace',
    ...sandbox.env,
    ...options.env,
  });
  const config = completeConfig(read, {
    encryptionKeys: read.encryptionKeys ?? [],
    tokenSecret: read.tokenSecret ?? '',
    codePeppers: read.codePeppers ?? [],
  });
  const logger = new PinoLog(makePino(config.logLevel, { write: (line) => void log.push(line) }));
  const app = await makeApp({ config, clock, databaseUrl: database.url }, logger);
  await app.listen(0, '127.0.0.1');
  // A shared service grows old enough for each of them, in the middle of any test.
  const registry = app.get(SchedulerRegistry);
  for (const name of registry.getIntervals()) clearInterval(registry.getInterval<NodeJS.Timeout>(name));
  const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
  const document = documents.get(config.publicUrl) ?? describeApi(app);
  documents.set(config.publicUrl, document);
  const api = new Api(url, document);
  const control = new TestControl(sandbox.url);
  return {
    app,
    url,
    api,
    given: new Given(api, control, signUpIn(app)),
    clock,
    sandbox,
    control,
    database,
    dataDir,
    document,
    log,
    logger,
    forward: async (ms) => {
      clock.forward(ms);
      await control.advance(ms / 1000);
    },
    tick: async () => {
      await app.get(ReconcileWorker).tick();
      // With nothing due, a loop of ticks would let nothing else run.
      await setImmediate();
    },
    close: async () => {
      // As the service does when it stops: Node.js waits without end for a connection on which nothing was ever asked.
      const cut = setTimeout(() => app.getHttpServer().closeAllConnections(), DRAIN_MS);
      await app.close();
      clearTimeout(cut);
      if (shared !== undefined) return;
      await sandbox.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
