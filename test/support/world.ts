import { setImmediate } from 'node:timers/promises';
import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
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

const TEST_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

const DRAIN_MS = 10_000;

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
  /** Moves the service's time and the stores' time together. */
  forward(ms: number): Promise<void>;
  /** Works on everything that is due, as the scheduler would. */
  tick(): Promise<void>;
  close(): Promise<void>;
}

interface Options {
  readonly env?: Readonly<Record<string, string>>;
  /** Share these with another world: two processes on one database. */
  readonly with?: Pick<World, 'database' | 'sandbox' | 'dataDir' | 'clock'>;
}

const open = new Set<World>();

/** Since the last file ended. */
const started = new Set<World>();

/**
 * Closes the worlds that a file has left open, as one does whose test fails before it comes to that, and empties all of them: Node.js 20 frees
 * no module that ran in a context of `vm`, and with it nothing that the file's variables name.
 */
export async function endWorlds(): Promise<void> {
  for (const world of [...open].toReversed()) await world.close();
  for (const world of started) for (const name of Object.keys(world)) Reflect.deleteProperty(world, name);
  started.clear();
}

/** By the address that each service believes to be its own: nothing else in its environment changes how it is described. */
const documents = new Map<string, OpenAPIObject>();

/** Starts a service. Its scheduler sleeps: a test ticks it when it wants that. */
export async function startWorld(options: Options = {}): Promise<World> {
  const shared = options.with;
  const database = shared?.database ?? (await newDatabase());
  const dataDir = shared?.dataDir ?? (await mkdtemp(join(tmpdir(), 'pierhead-test-')));
  const sandbox = shared?.sandbox ?? (await createSandbox());
  const clock = shared?.clock ?? new TestClock();
  const log: string[] = [];
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
  const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
  const document = documents.get(config.publicUrl) ?? describeApi(app);
  documents.set(config.publicUrl, document);
  const api = new Api(url, document);
  const control = new TestControl(sandbox.url);
  const world: World = {
    app,
    url,
    api,
    given: new Given(api, control),
    clock,
    sandbox,
    control,
    database,
    dataDir,
    document,
    log,
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
      open.delete(world);
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
  open.add(world);
  started.add(world);
  return world;
}
